// A slider that is unset until it is touched: no thumb, no value.

import { element } from "./dom.js";

const UNSET = "Not set yet";

// `onInput` hears every value on the way, `onMove` where the slider comes to rest.
export function slider({ id, labelledBy, scale, value, onInput, onMove }) {
  const [lowLabel = "", highLabel = ""] = scale.labels;
  const shown = element("span", { class: "slider-value", "aria-hidden": "true" }, UNSET);
  const input = element("input", {
    type: "range", id, min: scale.low, max: scale.high, step: 1, class: "unset",
    "aria-labelledby": labelledBy, "aria-valuetext": UNSET,
  });
  input.value = value ?? Math.round((scale.low + scale.high) / 2);
  let current = null;
  const set = () => {
    if (current === input.valueAsNumber) return;
    current = input.valueAsNumber;
    input.classList.remove("unset");
    input.setAttribute("aria-valuetext", String(current));
    shown.textContent = String(current);
    shown.classList.add("set");
  };
  if (value !== null) set();
  addListeners(input, () => { set(); onInput(current); }, () => { set(); onMove(current); });
  return element("div", { class: "slider" },
    shown, input,
    element("div", { class: "slider-ends", "aria-hidden": "true" },
      element("span", {}, `${scale.low} ${lowLabel}`.trim()),
      element("span", {}, `${highLabel} ${scale.high}`.trim())));
}

function addListeners(input, onInput, onMove) {
  input.addEventListener("input", onInput);
  input.addEventListener("change", onMove);
  // Setting it exactly where the hidden thumb waits is no change for the browser. A finger that
  // only scrolls past ends with a cancelled pointer and sets nothing.
  const choose = () => {
    if (!input.classList.contains("unset")) return;
    onInput();
    onMove();
  };
  input.addEventListener("pointerup", choose);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") choose();
  });
}
