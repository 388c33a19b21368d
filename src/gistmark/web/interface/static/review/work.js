// The list of work: ticking many, and deciding on them without leaving the page.

import { decideInPlace } from "./deciding.js";

const form = document.querySelector(".work-form");
const boxes = () => [...form.querySelectorAll("input[name=submission]")];

function showTicked() {
  const count = boxes().filter((box) => box.checked).length;
  const all = document.getElementById("tick-all");
  if (all) {
    all.hidden = false;
    all.checked = count > 0 && count === boxes().length;
    all.indeterminate = count > 0 && count < boxes().length;
  }
  const option = form.querySelector("[data-ticked]");
  if (option) {
    option.textContent = count ? `the ${count} that ${count === 1 ? "is" : "are"} ticked`
      : "those that are ticked";
  }
}

form.addEventListener("change", ({ target }) => {
  if (target.id === "tick-all") for (const box of boxes()) box.checked = target.checked;
  showTicked();
});

decideInPlace(() => {
  document.getElementById("reason").value = "";
  showTicked();
});
showTicked();
