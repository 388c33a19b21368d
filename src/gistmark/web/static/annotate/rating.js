// Rating a summary: sliders or points for each dimension, with confidence and weight if asked.

import { documentOf, referencesOf, titleOf } from "./beside.js";
import { faultPlace, ratingId } from "./controls.js";
import { element } from "./dom.js";
import { points } from "./points.js";
import { slider } from "./slider.js";
import { passage } from "./text.js";

// As many dimensions as this stand well under a summary that is alone on the screen.
const MOST_BELOW = 2;

// What a rating consists of, with the question for each part that the dimension does not ask.
export const PARTS = {
  value: null,
  confidence: "How sure are you?",
  weight: "How much does this count here?",
};

export function ratingScreen({ task, item, dimensions, answer }) {
  const questions = element("div", { class: "questions" },
    dimensions.map((dimension) => dimensionOf(dimension, task, item, answer)));
  const summary = passage("Summary", item.summary, { lang: item.lang });
  const document = documentOf(item, answer);
  const references = referencesOf(item);
  if (document) {
    return columns([titleOf(item), document, ...references], [summary, questions], "right");
  }
  if (!references.length && dimensions.length <= MOST_BELOW) {
    return element("div", { class: "single" }, titleOf(item), summary, questions);
  }
  return columns([titleOf(item), ...references, summary], [questions], "left");
}

// Two columns; the sticky one stays in sight while the other scrolls by.
function columns(left, right, sticky) {
  const side = (name, children) => (
    element("div", { class: name === sticky ? "column sticky" : "column" }, ...children));
  return element("div", { class: "columns" }, side("left", left), side("right", right));
}

function dimensionOf(dimension, task, item, answer) {
  const place = task.dimensions.indexOf(dimension);
  const parts = Object.keys(PARTS).filter((part) => scaleOf(task, dimension, part));
  const legend = `legend-${item.key}-${place}`;
  return element("fieldset", { class: "dimension" },
    element("legend", { id: legend }, dimension.question),
    guidance(dimension),
    parts.map((part) => partOf({ part, legend, dimension, place, task, item, answer })));
}

export function guidance({ guidance: text }) {
  if (!text) return null;
  return element("details", { class: "guidance" },
    element("summary", {}, "What to look for"), element("p", {}, text));
}

function partOf({ part, legend, dimension, place, task, item, answer }) {
  const id = ratingId(item.key, place, part);
  const label = PARTS[part] === null ? null
    : element("p", { class: "part-label", id: `${id}-label` }, PARTS[part]);
  const scale = scaleOf(task, dimension, part);
  const rate = (value) => answer.rate(item.key, dimension.name, part, value);
  const value = answer.rating(item.key, dimension.name, part);
  const labelledBy = label ? `${legend} ${id}-label` : legend;
  const move = (moved) => { if (part === "value") answer.move(item.key, dimension.name, moved); };
  const control = scale.form === "slider"
    ? slider({ id, labelledBy, scale, value, onInput: rate, onMove: move })
    : points({ id, labelledBy, scale, value, onChoose: rate });
  return element("div", { class: `part part-${part}` }, label, control,
    faultPlace(`items.${item.key}.ratings.${dimension.name}.${part}`));
}

export function scaleOf(task, dimension, part) {
  return part === "value" ? dimension.scale ?? task.scale : task[part];
}

// A draft in which every slider that starts somewhere has that value unless it was moved.
export function withStarts(task, draft) {
  if (task.kind !== "rating") return draft;
  const filled = structuredClone(draft);
  filled.items ??= {};
  for (const { key } of task.items) {
    const { ratings } = (filled.items[key] = { ratings: {}, ...filled.items[key] });
    for (const dimension of task.dimensions) {
      const starts = startsOf(task, dimension);
      if (Object.keys(starts).length) {
        ratings[dimension.name] = { ...starts, ...ratings[dimension.name] };
      }
    }
  }
  return filled;
}

function startsOf(task, dimension) {
  const starts = Object.keys(PARTS)
    .map((part) => [part, scaleOf(task, dimension, part)?.start ?? null]);
  return Object.fromEntries(starts.filter(([, start]) => start !== null));
}
