"use strict";
// Where the pointer is, in the inches of the picture, says which truth and which action are meant. What there is to say
// of them stands further down on the page; it is shown beside the pointer.
const picture = document.getElementById("picture");
const marks = document.getElementById("marks");
const tip = document.getElementById("tip");
const place = Object.fromEntries(Object.entries(picture.dataset).map(([name, value]) => [name, Number(value)]));
const truths = [...document.querySelectorAll("article.truth")];
const actions = [...document.querySelectorAll("article.action")];

function rect(kind, x, y, width, height) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [name, value] of Object.entries({ class: kind, x, y, width, height })) made.setAttribute(name, value);
  marks.append(made);
}

function row(kind, truth) {
  rect(kind, 0.1, Number(truth.dataset.top), place.right - 0.1, place.row);
}

function excludes(outcome, truth) {
  return (BigInt("0x" + outcome.dataset.out) >> BigInt(truth.dataset.number)) & 1n;
}

// `truth` or `action` may be missing; `slot` is the number of the outcome, if any
function show(truth, action, slot, x, y) {
  marks.replaceChildren();
  const shown = [];
  if (truth) {
    row("", truth);
    const near = truth.dataset.near.split(" ");
    for (const other of truths) if (near.includes(other.dataset.number)) row("near", other);
    shown.push(truth.cloneNode(true));
  }
  if (action) {
    const left = Number(action.dataset.left);
    rect("", left, place.top, Number(action.dataset.right) - left, place.bottom - place.top);
    const copy = action.cloneNode(true);
    [...copy.querySelectorAll("li")].forEach((outcome, i) => {
      if (truth) outcome.className = excludes(outcome, truth) ? "falls" : "stands";
      outcome.classList.toggle("here", i === slot);
    });
    shown.push(copy);
  }
  tip.replaceChildren(...shown);
  tip.hidden = !shown.length;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = `${x + 18 + width > innerWidth ? Math.max(0, x - 18 - width) : x + 18}px`;
  tip.style.top = `${Math.max(0, Math.min(y + 12, innerHeight - height - 4))}px`;
}

function point(event) {
  const box = picture.getBoundingClientRect();
  const x = ((event.clientX - box.left) / box.width) * place.width;
  const y = ((event.clientY - box.top) / box.height) * place.height;
  const truth = x > place.right + 0.3 ? undefined : truths.find(({ dataset }) => y >= Number(dataset.top) && y < Number(dataset.top) + place.row);
  const action = y < place.top - 0.5 ? undefined : actions.find(({ dataset }) => x >= Number(dataset.left) && x < Number(dataset.right));
  const inside = y < place.bottom + 0.6;
  const slot = truth && action ? Math.floor((x - Number(action.dataset.left)) / place.slot) : undefined;
  show(inside ? truth : undefined, inside ? action : undefined, slot, event.clientX, event.clientY);
}

picture.addEventListener("pointermove", point);
picture.addEventListener("pointerdown", point);
picture.addEventListener("pointerleave", () => show());
