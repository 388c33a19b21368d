// Rating a summary: a slider or points for each dimension, with confidence and weight if asked.

import { PARTS, points, rateByDigit, slider } from "../controls.js";
import { element, keycap } from "../dom.js";
import { faultLine } from "../feedback.js";
import {
  columns, documentOf, guidance, passage, pinned, referencesOf, titleOf,
} from "../material.js";
import { gettext, pieces } from "../translation.js";

// At most so many dimensions fit well under a summary that is alone on the screen.
const MOST_BELOW = 2;

export function question(task) {
  return {
    heading: gettext("Rate the summary"),
    noun: gettext("Summary"),
    build: (screen, { answer, onKey = () => {} }) => {
      onKey(rateByDigit);
      return layout(screen, answer, keysFor(task, screen.dimensions), (dimension) => (
        fieldset(dimension, { task, item: screen.item, answer })));
    },
    missing: ({ item, dimensions }, answer) => (
      dimensions.flatMap((dimension) => unrated(dimension, { task, item, answer }))),
    prefill: (draft) => withStarts(task, draft),
  };
}

function layout({ item, dimensions }, answer, keys, build) {
  const questions = element("div", { class: "questions" }, keys, dimensions.map(build));
  const summary = pinned(passage(gettext("Summary"), item.summary, { lang: item.lang }));
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

// Where every point has a digit, the digits choose.
function keysFor(task, dimensions) {
  const scales = dimensions.map((dimension) => scaleOf(task, dimension, "value"));
  const [{ low, high }] = scales;
  const digits = scales.every((scale) => (
    scale.form === "points" && scale.low === low && scale.high === high && low >= 0 && high <= 9));
  return digits ? element("p", { class: "hint keys" }, pieces(
    gettext("%(first)s to %(last)s choose, %(tab)s goes to the next question."),
    { first: keycap(String(low)), last: keycap(String(high)), tab: keycap("Tab") })) : null;
}

function fieldset(dimension, { task, item, answer }) {
  const index = task.dimensions.indexOf(dimension);
  const parts = Object.keys(PARTS).filter((part) => scaleOf(task, dimension, part));
  const legend = `legend-${item.key}-${index}`;
  return element("fieldset", { class: "dimension" },
    element("legend", { id: legend, dir: "auto" }, dimension.question),
    guidance(dimension),
    parts.map((part) => control(part, { legend, dimension, index, task, item, answer })));
}

function control(part, { legend, dimension, index, task, item, answer }) {
  const id = controlId(item, index, part);
  const label = PARTS[part] === null ? null
    : element("p", { class: "part-label", id: `${id}-label` }, PARTS[part]);
  const scale = scaleOf(task, dimension, part);
  const rate = (value) => {
    const ratings = answer.part(item.key, "ratings") ?? {};
    const rating = { ...ratings[dimension.name], [part]: value };
    answer.setPart(item.key, "ratings", { ...ratings, [dimension.name]: rating });
  };
  const value = given(answer, item, dimension, part);
  const labelledBy = label ? `${legend} ${id}-label` : legend;
  const move = (moved) => { if (part === "value") answer.move(item.key, dimension.name, moved); };
  const input = scale.form === "slider"
    ? slider({ id, labelledBy, scale, value, onInput: rate, onMove: move })
    : points({ id, labelledBy, scale, value, onChoose: rate });
  return element("div", { class: `part part-${part}` }, label, input,
    faultLine(`items.${item.key}.ratings.${dimension.name}.${part}`));
}

function unrated(dimension, { task, item, answer }) {
  const part = Object.keys(PARTS).find((each) => (
    scaleOf(task, dimension, each) && given(answer, item, dimension, each) === null));
  if (part === undefined) return [];
  const target = controlId(item, task.dimensions.indexOf(dimension), part);
  return [{ target, text: [dimension.question, PARTS[part]].filter(Boolean).join(" ") }];
}

function given(answer, { key }, { name }, part) {
  return answer.part(key, "ratings")?.[name]?.[part] ?? null;
}

function controlId({ key }, index, part) {
  return `rating-${key}-${index}-${part}`;
}

function scaleOf(task, dimension, part) {
  return part === "value" ? dimension.scale ?? task.scale : task[part];
}

// A draft in which every slider that starts somewhere has that value unless it was moved.
function withStarts(task, draft) {
  const filled = structuredClone(draft);
  filled.items ??= {};
  for (const { key } of task.items) {
    const ratings = { ...filled.items[key]?.ratings };
    for (const dimension of task.dimensions) {
      const starts = startsOf(task, dimension);
      if (Object.keys(starts).length) {
        ratings[dimension.name] = { ...starts, ...ratings[dimension.name] };
      }
    }
    if (Object.keys(ratings).length) filled.items[key] = { ...filled.items[key], ratings };
  }
  return filled;
}

function startsOf(task, dimension) {
  const starts = Object.keys(PARTS)
    .map((part) => [part, scaleOf(task, dimension, part)?.start ?? null]);
  return Object.fromEntries(starts.filter(([, start]) => start !== null));
}
