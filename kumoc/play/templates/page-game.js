// What a person has done so far, the rules of the game, and the trajectory of one that is over.

const set = JSON.parse(atob(document.getElementById("content").textContent));
const address = new URLSearchParams(location.search);
const given = ["PROLIFIC_PID", "STUDY_ID", "SESSION_ID"].filter((name) => address.has(name));
const ids = Object.fromEntries(given.map((name) => [name, address.get(name)]));

// Kept from visit to visit; the screen is made from this alone.

const place = `kumoc ${JSON.stringify([set.id, ids])}`;
const fresh = () => ({
  trial: crypto.getRandomValues(new Uint32Array(1))[0] >>> 1, // tells the people apart who play these games
  begun: false,
  records: [], // of the games that are over
  sent: 0, // how many of them the server has
  resting: false, // between two games
  turns: [], // of the game that goes on
  spent: { playing: 0, paused: 0 }, // milliseconds since the last turn
  paused: false,
  asked: false, // to see what is left
});
let kept = restored() ?? fresh();
let since = performance.now();

function restored() {
  try {
    return JSON.parse(localStorage.getItem(place));
  } catch {
    return null; // a browser that keeps nothing: the page works until it is closed
  }
}

function keep() {
  try {
    localStorage.setItem(place, JSON.stringify(kept));
  } catch {
    return; // as above
  }
}

function tick() {
  const now = performance.now();
  if (kept.begun && !kept.resting) kept.spent[kept.paused ? "paused" : "playing"] += now - since;
  since = now;
}

// The rules are those of kumoc.play.simulator, for the moves that this page allows: no action is taken twice.

const current = () => set.games[kept.records.length];

function survivorsAfter(game, actions) {
  const out = new Set(actions.flatMap((action) => game.actions[action].rules_out));
  return game.truths.map((_, truth) => truth).filter((truth) => !out.has(truth));
}

const taken = () => kept.turns.filter((turn) => turn.kind === "act").map((turn) => turn.at);
const survivors = () => survivorsAfter(current(), taken());
const validTruths = (game) => survivorsAfter(game, [...game.actions.keys()]);

function move(kind, at) {
  tick();
  const { playing, paused } = kept.spent;
  kept.turns.push({
    kind, at, response_ms: Math.round(playing), paused_ms: Math.round(paused), survivors_shown: showsSurvivors(),
  });
  kept.spent = { playing: 0, paused: 0 };
  const end = kind === "name" ? "named" : kept.turns.length === current().limit ? "limit" : null;
  if (end) finish(end);
  keep();
}

function finish(end) {
  kept.records.push(trajectory(current(), end));
  kept.turns = [];
  kept.asked = false;
  kept.resting = true;
  send();
}

function trajectory(game, end) {
  const last = kept.turns.at(-1);
  const success = end === "named" && validTruths(game).includes(last.at);
  return {
    ...game.record,
    end,
    named: end === "named" ? game.truths[last.at] : null,
    success,
    strict_success: success,
    trial: kept.trial,
    actions_taken: taken().length,
    wasted: wasted(game, taken()),
    events: kept.turns.map(({ kind, at, ...measured }) => ({
      kind,
      name: kind === "act" ? game.actions[at].name : game.truths[at],
      seen: kind === "act" ? game.actions[at].seen : null,
      fault: null,
      said: null,
      ...measured,
    })),
    origin: {
      ...game.record.origin,
      page: set.id,
      game: String(kept.records.length + 1),
      ended: new Date().toISOString(),
      ...ids,
    },
  };
}

function wasted(game, actions) {
  return actions.filter((action, before) => {
    const left = survivorsAfter(game, actions.slice(0, before));
    return left.length <= game.record.valid || !game.actions[action].can_rule_out.some((truth) => left.includes(truth));
  }).length;
}
