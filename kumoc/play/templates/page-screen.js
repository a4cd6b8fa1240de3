// What is shown: a screen for each stage, made from what is kept.

const $ = (id) => document.getElementById(id);
const screens = ["welcome", "game", "verdict", "end"];

function screen() {
  if (!kept.begun) return "welcome";
  if (kept.resting) return "verdict";
  return kept.records.length < set.games.length ? "game" : "end";
}

function open() {
  const shown = screen();
  for (const id of screens) $(id).hidden = id !== shown;
  ({ welcome() {}, game: openGame, verdict: openVerdict, end: openEnd })[shown]();
  $(shown).querySelector("h1").focus();
  scrollTo(0, 0);
}

function openGame() {
  $("number").textContent = `Game ${kept.records.length + 1} of ${set.games.length}`;
  $("progress").value = kept.records.length;
  $("book").replaceChildren(...bookOf(current().book));
  $("book").scrollTop = 0;
  $("actions").replaceChildren(...current().actions.map(({ name }, at) => choice(name, () => take(at))));
  $("truths").replaceChildren(...current().truths.map((name, at) => choice(name, () => ask(at))));
  $("survivors").hidden = set.survivors !== "asked";
  $("said").textContent = "";
  update();
  since = performance.now();
  if (kept.paused) $("paused").showModal();
}

// No line of a book begins with text of the domain, so a name can't pass for a heading or a rule.
function bookOf(book) {
  const marks = [["### ", "h4"], ["## ", "h3"], ["# ", "h2"], ["- ", "li"], ["", "p"]];
  const parts = [];
  for (const line of book.split("\n").filter((line) => line.trim())) {
    const [mark, tag] = marks.find(([mark]) => line.startsWith(mark));
    const part = document.createElement(tag);
    part.textContent = line.slice(mark.length);
    if (tag !== "li") {
      parts.push(part);
      continue;
    }
    if (parts.at(-1)?.tagName !== "UL") parts.push(document.createElement("ul"));
    parts.at(-1).append(part);
  }
  return parts;
}

function choice(name, choose) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.textContent = name;
  button.addEventListener("click", choose);
  item.append(button);
  return item;
}

const showsSurvivors = () => set.survivors === "shown" || kept.asked;

function update() {
  const left = survivors();
  for (const at of taken()) {
    const button = $("actions").children[at].firstChild;
    if (button.ariaDisabled) continue;
    const seen = document.createElement("span");
    seen.className = "seen";
    seen.textContent = current().actions[at].seen;
    button.append(" ", seen);
    button.ariaDisabled = "true";
  }
  [...$("truths").children].forEach((item, truth) => {
    const out = showsSurvivors() && !left.includes(truth);
    item.firstChild.className = out ? "out" : "";
    item.firstChild.ariaDescription = out ? "ruled out" : null;
  });
  $("taken").textContent = kept.turns.length ? `${taken().length} taken` : "";
  $("left").textContent = showsSurvivors() ? `${left.length} of ${current().truths.length} left` : "";
  $("survivors").ariaPressed = String(kept.asked);
}

function take(at) {
  if (taken().includes(at)) return;
  const { name, seen } = current().actions[at];
  move("act", at);
  if (kept.resting) return open();
  update();
  $("said").textContent = `The outcome of ${name} is: ${seen}.`;
}

let asking = null;

function ask(at) {
  asking = at;
  $("named").textContent = current().truths[at];
  $("naming").returnValue = "no";
  $("naming").showModal();
}

function openVerdict() {
  const { length } = kept.records;
  const record = kept.records[length - 1];
  $("verdict-title").textContent = set.feedback ? verdict(record) : `Game ${length} is over`;
  $("verdict-text").textContent = set.feedback ? account(record, set.games[length - 1]) : "";
  $("next").textContent = length < set.games.length ? `Go on to game ${length + 1} of ${set.games.length}` : "Finish";
}

function verdict({ end, named, success }) {
  if (end === "limit") return "No turn is left";
  return success ? `Right: ${named} is valid` : `Wrong: ${named} is not valid`;
}

function account({ success, actions_taken: count, exact_expected_actions: best }, game) {
  const valid = validTruths(game).map((truth) => game.truths[truth]).join(", ");
  return [
    ...(success ? [] : [`Valid: ${valid}.`]),
    `You took ${count} ${count === 1 ? "action" : "actions"}.`,
    ...(best === null ? [] : [`Best play takes ${+best.toFixed(2)} on average.`]),
  ].join(" ");
}

function openEnd() {
  report();
  const { completion } = set;
  if (completion === null) return;
  const link = /^https?:/.test(completion);
  const shown = document.createElement(link ? "a" : "strong");
  if (link) shown.href = completion;
  shown.textContent = completion;
  $("completion").replaceChildren(link ? "To complete the study, go to " : "Your completion code: ", shown);
}
