// Rating a summary: a slider or points for each dimension, with confidence and weight if asked.

import { button, element, keycap } from "../dom.js";
import { faultLine } from "../feedback.js";
import { documentOf, guidance, passage, referencesOf, titleOf } from "../material.js";
import { formatNumber, gettext, interpolate, pieces } from "../translation.js";

// As many dimensions as this stand well under a summary that is alone on the screen.
const MOST_BELOW = 2;

// More points than this get a line each where they have labels, and wrap where they have none.
const MOST_IN_A_ROW = 7;

const UNSET = gettext("Not set yet");

// What a rating consists of, with the question for each part that the dimension does not ask.
const PARTS = {
  value: null,
  confidence: gettext("How sure are you?"),
  weight: gettext("How much does this count here?"),
};

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

// Two columns; the sticky one stays in sight while the other scrolls by.
function columns(left, right, sticky) {
  const side = (name, children) => (
    element("div", { class: name === sticky ? "column sticky" : "column" }, ...children));
  return element("div", { class: "columns" }, side("left", left), side("right", right));
}

// A passage that stays in sight on a narrow screen, where a button folds it.
function pinned(node) {
  const fold = button("", () => name(node.classList.toggle("folded")), {
    class: "fold quiet small",
  });
  const name = (folded) => {
    fold.textContent = folded ? "▾" : "▴";
    fold.setAttribute("aria-label", folded
      ? gettext("Unfold the summary") : gettext("Fold the summary"));
    fold.setAttribute("aria-expanded", String(!folded));
  };
  name(false);
  node.classList.add("pinned");
  node.prepend(fold);
  return node;
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

// A digit from anywhere on the screen answers the first question that is open.
function rateByDigit(event) {
  if (!/^\d$/.test(event.key)) return;
  const groups = [...document.querySelectorAll(".screen:not([hidden]) .points")];
  const open = groups.find((group) => !group.querySelector(":checked"));
  const input = open?.querySelector(`input[value="${event.key}"]`);
  if (!input) return;
  event.preventDefault();
  input.focus();
  input.click();
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

// A few points to choose one from: radio buttons, or the number keys while one has the focus.
function points({ id, labelledBy, scale, value, onChoose }) {
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
function slider({ id, labelledBy, scale, value, onInput, onMove }) {
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
