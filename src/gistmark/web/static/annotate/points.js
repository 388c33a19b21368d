// A few points to choose one from: radio buttons, or the number keys while one has the focus.

import { element } from "./dom.js";

// More points than this get a line each where they have labels, and wrap where they have none.
const MOST_IN_A_ROW = 7;

export function points({ id, labelledBy, scale, value, onChoose }) {
  const count = scale.high - scale.low + 1;
  const values = Array.from({ length: count }, (_, place) => scale.low + place);
  const labelled = scale.labels.length > 0;
  const caption = element("p", { class: "points-caption", "aria-hidden": "true" });
  const inputs = values.map((point, place) => element("input", {
    type: "radio", name: id, id: place ? `${id}-${point}` : id, value: point,
    on: { change: () => choose(point) },
  }));
  const choose = (point) => {
    describe(caption, scale, point);
    onChoose(point);
  };
  const labels = values.map((point, place) => element("label", { class: "point" },
    inputs[place],
    element("span", { class: "point-number" }, String(point)),
    labelled ? element("span", { class: "point-label" }, scale.labels[place]) : null));
  const group = element("div", {
    class: classesOf(values, labelled), role: "radiogroup", "aria-labelledby": labelledBy,
  }, labels);
  describe(caption, scale, value);
  if (value !== null) inputs[value - scale.low].checked = true;
  group.addEventListener("keydown", (event) => {
    const place = values.indexOf(Number(event.key));
    if (!/^\d$/.test(event.key) || place < 0) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    inputs[place].checked = true;
    inputs[place].focus();
    choose(values[place]);
  });
  return element("div", {}, group, caption);
}

function classesOf(values, labelled) {
  const layout = values.length <= MOST_IN_A_ROW ? "row" : labelled ? "list" : "wrap";
  return labelled ? `points ${layout} labelled` : `points ${layout}`;
}

// On a narrow screen one line names the point that was chosen, or the two ends.
function describe(caption, { low, high, labels }, value) {
  if (!labels.length) return;
  caption.textContent = value === null
    ? `${low} ${labels[0]} – ${high} ${labels.at(-1)}` : `${value} ${labels[value - low]}`;
}
