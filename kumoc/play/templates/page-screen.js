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
  $("book").replaceChildren(...current().book.map(({ shape, rows }) => shapes[shape](rows)));
  for (const id of ["book", "actions", "truths"]) $(id).lang = current().language;
  $("book").scrollTop = 0;
  $("actions").replaceChildren(...current().actions.map(({ name }, at) => choice(name, () => take(at))));
  $("truths").replaceChildren(...current().truths.map((name, at) => choice(name, () => ask(at))));
  $("survivors").hidden = set.survivors !== "asked";
  $("said").textContent = "";
  update();
  since = performance.now();
  if (kept.paused) $("paused").showModal();
}

// The shapes are those of kumoc.play.layout.
const shapes = {
  title: ([[text]]) => element("h2", text),
  chapter: ([[text]]) => element("h3", text),
  section: ([[text]]) => element("h4", text),
  paragraph: ([[text]]) => element("p", text),
  list: (rows) => element("ul", ...rows.map(([text]) => element("li", text))),
  table: ([head, ...rows]) => element("table", tableRow("th", head), ...rows.map((cells) => tableRow("td", cells))),
  code: (rows) => element("pre", rows.map(([text]) => `${text}\n`).join("")),
};

const tableRow = (tag, cells) => element("tr", ...cells.map((text) => element(tag, text)));

function element(tag, ...inside) {
  const made = document.createElement(tag);
  made.append(...inside); // text stays text
  return made;
}

function choice(name, choose) {
  const button = element("button", name);
  button.addEventListener("click", choose);
  return element("li", button);
}

const showsSurvivors = () => set.survivors === "shown" || kept.asked;

function update() {
  const left = survivors();
  for (const at of taken()) {
    const button = $("actions").children[at].firstChild;
    if (button.ariaDisabled) continue;
    const seen = element("span", current().actions[at].seen);
    seen.className = "seen";
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
  const shown = element(link ? "a" : "strong", completion);
  if (link) shown.href = completion;
  $("completion").replaceChildren(link ? "To complete the study, go to " : "Your completion code: ", shown);
}
