// A document as a heat map: the more readers marked a word, the stronger its colour and the
// thicker the line under it. A slider hides the weaker ones; its moves are logged.

import { element } from "./dom.js";
import { WordText } from "./text.js";
import { touched, wordsOf } from "./words.js";

const LEVELS = 5;
const THRESHOLD = "threshold";

export function heatMap(item, answer) {
  const words = wordsOf(item.document);
  const text = new WordText(item.document, words, { lang: item.lang });
  const heats = heatsOf(words, item.heat);
  const paint = (position) => {
    const least = item.steps[position] ?? Infinity;
    const painted = (heat) => (heat >= least ? `heat heat-${Math.ceil(heat * LEVELS)}` : "");
    text.paint((place) => painted(heats[place]),
      (place) => painted(Math.min(heats[place], heats[place + 1] ?? 0)));
  };
  const start = answer.lastMove(item.key, THRESHOLD) ?? 0;
  paint(start);
  return element("div", { class: "heat-map" },
    item.steps.length > 1 ? threshold(item, answer, start, paint) : null, text.node);
}

function heatsOf(words, found) {
  const heats = new Array(words.length).fill(0);
  for (const { start, end, heat } of found) {
    const place = touched(words, start, end, "start", "end");
    if (place) heats[place.first] = heat;
  }
  return heats;
}

function threshold(item, answer, start, paint) {
  const id = `threshold-${item.key}`;
  const last = item.steps.length - 1;
  const said = (position) => (position === 0 ? "all colours" : position === last
    ? "only the strongest" : `${last + 1 - position} of ${last + 1} colours`);
  const shown = element("span", { class: "threshold-value" }, said(start));
  const input = element("input", {
    type: "range", id, min: 0, max: last, step: 1, "aria-valuetext": said(start),
    on: {
      input: () => {
        paint(input.valueAsNumber);
        shown.textContent = said(input.valueAsNumber);
        input.setAttribute("aria-valuetext", said(input.valueAsNumber));
      },
      change: () => answer.move(item.key, THRESHOLD, input.valueAsNumber),
    },
  });
  input.value = start;
  return element("div", { class: "threshold" },
    element("label", { for: id }, "Show"), input, shown, legend());
}

function legend() {
  const swatches = Array.from({ length: LEVELS }, (_, place) => (
    element("span", { class: `heat heat-${place + 1}`, "aria-hidden": "true" }, "\u00a0a\u00a0")));
  return element("p", { class: "legend" }, "few readers ", swatches, " many readers");
}
