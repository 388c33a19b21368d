// The page of one submission: the work as it was seen, and keys to go on and to decide.

import { decideInPlace, say } from "./deciding.js";
import { seenScreens } from "./seen.js";

const KEYS = {
  j: () => follow("next"),
  ArrowRight: () => follow("next"),
  k: () => follow("previous"),
  ArrowLeft: () => follow("previous"),
  a: () => document.getElementById("accept")?.click(),
  p: () => document.getElementById("pay")?.click(),
  r: () => focusReason(),
  u: () => document.querySelector('[data-part="undo"] button')?.click(),
};
const TYPING = "input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]";

function follow(id) {
  const link = document.getElementById(id);
  if (link) location.assign(link.href);
  else say([id === "next" ? "This is the last one." : "This is the first one."]);
}

function focusReason() {
  const reason = document.getElementById("reason");
  reason?.focus();
  reason?.select();
}

// Before anything on the screens hears of a key: they are only shown.
window.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches?.(TYPING)) return;
  if (event.key in KEYS) {
    event.preventDefault();
    KEYS[event.key]();
  }
  if (event.target.closest?.(".as-seen") || event.target === document.body) {
    event.stopImmediatePropagation();
  }
}, { capture: true });

// In a field, Enter rejects and not the first button of the form; Escape leaves it.
document.getElementById("reason")?.addEventListener("keydown", (event) => {
  if (event.key === "Escape") event.target.blur();
  if (event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  event.target.form.requestSubmit(document.getElementById("reject"));
});

async function showWork() {
  const task = JSON.parse(document.getElementById("payload").textContent);
  for (const { key, node } of await seenScreens(task)) {
    document.querySelector(`[data-seen="${CSS.escape(key)}"]`)?.append(node);
  }
}

decideInPlace();
await showWork();
