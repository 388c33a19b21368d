// Controls that question types share: a few points to choose from, and a slider.

import { element } from "./dom.js";
import { formatNumber, gettext, interpolate } from "./translation.js";

// More points than this get a line each where they have labels, and wrap where they have none.
const MOST_IN_A_ROW = 7;

const UNSET = gettext("Not set yet");

// What a rating consists of, with the question for each part that the dimension does not ask.
export const PARTS = {
  value: null,
  confidence: gettext("How sure are you?"),
  weight: gettext("How much does this count here?"),
};

// A few points to choose one from: radio buttons, or the number keys while one has the focus.
export function points({ id, labelledBy, scale, value, onChoose }) {
  const count = scale.high - scale.low + 1;
  const values = Array.from({ length: count }, (_, index) => scale.low + index);
  const labelled = scale.labels.length > 0;
  const caption = element("p", { class: "points-caption", dir: "auto", "aria-hidden": "true" });
  const inputs = values.map((point, index) => element("input", {
    type: "radio", name: id, id: index ? `${id}-${point}` : id, value: point,
    on: { change: () => choose(point) },
  }));
  const choose = (point) => {
    describe(caption, scale, point);
    onChoose(point);
  };
  const labels = values.map((point, index) => element("label", { class: "point" },
    inputs[index],
    element("span", { class: "point-number" }, formatNumber(point)),
    labelled ? element("span", { class: "point-label", dir: "auto" }, scale.labels[index]) : null));
  const group = element("div", {
    class: classesOf(values, labelled), role: "radiogroup", "aria-labelledby": labelledBy,
  }, labels);
  describe(caption, scale, value);
  if (value !== null) inputs[value - scale.low].checked = true;
  group.addEventListener("keydown", (event) => {
    const index = values.indexOf(Number(event.key));
    if (!/^\d$/.test(event.key) || index < 0) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    inputs[index].checked = true;
    inputs[index].focus();
    choose(values[index]);
  });
  return element("div", {}, group, caption);
}

// Options to choose from, one or several: radio buttons or boxes to tick. `options` are
// [{value, text}]; `isChosen(value)` and `onChange(value, checked)` keep the answer.
export function options({ id, labelledBy, options: offered, several = false, row = false,
  isChosen, onChange }) {
  const labels = offered.map(({ value, text }, index) => {
    const input = element("input", {
      type: several ? "checkbox" : "radio", name: id, id: index ? `${id}-${index}` : id, value,
      on: { change: ({ target }) => onChange(value, target.checked) },
    });
    input.checked = isChosen(value);
    return element("label", { class: "point option" }, input,
      element("span", { dir: "auto" }, text));
  });
  return element("div", {
    class: row ? "options row" : "options", role: several ? "group" : "radiogroup",
    "aria-labelledby": labelledBy,
  }, labels);
}

function classesOf(values, labelled) {
  const layout = values.length <= MOST_IN_A_ROW ? "row" : labelled ? "list" : "wrap";
  return labelled ? `points ${layout} labelled` : `points ${layout}`;
}

// On a narrow screen one line names the point that was chosen, or the two ends.
function describe(caption, { low, high, labels }, value) {
  if (!labels.length) return;
  caption.textContent = value === null
    ? interpolate(gettext("%(low)s %(low_label)s – %(high)s %(high_label)s"), {
      low, low_label: labels[0], high, high_label: labels.at(-1),
    }) : `${formatNumber(value)} ${labels[value - low]}`;
}

// A slider that is unset until it is touched: no thumb, no value. `onInput` is called with every
// value on the way, `onMove` where the slider comes to rest.
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
    input.setAttribute("aria-valuetext", formatNumber(current));
    shown.textContent = formatNumber(current);
    shown.classList.add("set");
  };
  if (value !== null) set();
  addListeners(input, () => { set(); onInput(current); }, () => { set(); onMove(current); });
  return element("div", { class: "slider" },
    shown, input,
    element("div", { class: "slider-ends", "aria-hidden": "true" },
      element("span", { dir: "auto" }, `${formatNumber(scale.low)} ${lowLabel}`.trim()),
      element("span", { dir: "auto" }, `${highLabel} ${formatNumber(scale.high)}`.trim())));
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

// A digit from anywhere on the screen answers the first question that is open; true if there is one.
export function rateByDigit(event) {
  if (!/^\d$/.test(event.key)) return false;
  const groups = [...document.querySelectorAll(".points")].filter((each) => !each.closest("[hidden]"));
  const open = groups.find((group) => !group.querySelector(":checked"));
  const input = open?.querySelector(`input[value="${event.key}"]`);
  if (!input) return false;
  event.preventDefault();
  input.focus();
  input.click();
  return true;
}
