// Lets rows be dragged to slots, which fills in the row's own form and sends it. Without this script
// and for keyboards, the form and the buttons of the row do the same.
const SLACK_PX = 6;
const EDGE_PX = 60;
const STEP_PX = 12;
const CONTROLS = "a, button, input, select, textarea, summary, form";

let drag = null;

const slotAt = (x, y) => document.elementFromPoint(x, y)?.closest("[data-slot]") ?? null;

function mark(slot) {
  if (drag.slot === slot) return;
  drag.slot?.classList.remove("over");
  slot?.classList.add("over");
  drag.slot = slot;
}

function lift() {
  drag.isLifted = true;
  drag.row.classList.add("dragged");
  document.body.classList.add("dragging");
  drag.row.setPointerCapture(drag.pointer);
}

function end() {
  if (!drag) return;
  drag.row.classList.remove("dragged");
  drag.slot?.classList.remove("over");
  document.body.classList.remove("dragging");
  drag = null;
}

/** Fills in the form of a row with the values of a slot, and sends it. */
function drop(row, slot) {
  const form = row.querySelector("form[data-move]");
  for (const [name, value] of Object.entries(JSON.parse(slot.dataset.slot))) {
    const field = form.elements.namedItem(name);
    if (field) field.value = value;
  }
  form.requestSubmit();
}

document.addEventListener("pointerdown", (event) => {
  const row = event.target.closest?.("[data-draggable]");
  if (!row || event.button !== 0 || event.target.closest(CONTROLS)) return;
  // A finger scrolls the page, except on the handle.
  if (event.pointerType === "touch" && !event.target.closest(".handle")) return;
  drag = { row, pointer: event.pointerId, x: event.clientX, y: event.clientY, slot: null, isLifted: false };
});
document.addEventListener("pointermove", (event) => {
  if (!drag || event.pointerId !== drag.pointer) return;
  if (!drag.isLifted && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < SLACK_PX) return;
  if (!drag.isLifted) lift();
  event.preventDefault();
  if (event.clientY < EDGE_PX) scrollBy(0, -STEP_PX);
  if (event.clientY > innerHeight - EDGE_PX) scrollBy(0, STEP_PX);
  mark(slotAt(event.clientX, event.clientY));
});
document.addEventListener("pointerup", (event) => {
  if (!drag || event.pointerId !== drag.pointer) return;
  const { row, slot, isLifted } = drag;
  end();
  if (isLifted && slot) drop(row, slot);
});
document.addEventListener("pointercancel", end);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") end();
});
