// What buttons and keys do.

function on(id, event, act) {
  $(id).addEventListener(event, act);
}

function pause() {
  tick();
  kept.paused = true;
  keep();
  $("paused").showModal();
}

on("begin", "click", () => {
  kept.begun = true;
  keep();
  open();
});
on("naming", "close", () => {
  if ($("naming").returnValue !== "yes") return;
  move("name", asking);
  open();
});
on("survivors", "click", () => {
  kept.asked = !kept.asked;
  keep();
  update();
});
on("pause", "click", pause);
on("paused", "close", () => {
  tick();
  kept.paused = false;
  keep();
});
on("next", "click", () => {
  kept.resting = false;
  keep();
  open();
});
on("send", "click", send);
on("save", "click", save);
on("anew", "click", () => {
  $("starting-anew").returnValue = "no";
  $("starting-anew").showModal();
});
on("starting-anew", "close", () => {
  if ($("starting-anew").returnValue !== "yes") return;
  kept = fresh();
  keep();
  open();
});

const shortcuts = {
  a: () => $("actions").querySelector("button").focus(),
  t: () => $("truths").querySelector("button").focus(),
  b: () => $("book").focus(),
  s: () => $("survivors").hidden || $("survivors").click(),
  p: pause,
};

document.addEventListener("keydown", (event) => {
  // a key that is held down must not confirm what it has just opened
  if (event.repeat && event.key === "Enter") return event.preventDefault();
  const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
  const item = event.target.closest?.(".moves li");
  if (step && item) {
    const items = [...item.parentElement.children];
    items[(items.indexOf(item) + step + items.length) % items.length].firstChild.focus();
    event.preventDefault();
  }
  const modified = event.ctrlKey || event.altKey || event.metaKey;
  if ($("game").hidden || !$("keys").checked || modified || document.querySelector("dialog[open]")) return;
  shortcuts[event.key.toLowerCase()]?.();
});

addEventListener("pagehide", () => {
  tick();
  keep();
});
addEventListener("pageshow", () => {
  since = performance.now(); // the time away is nobody's
});

open();
send();
