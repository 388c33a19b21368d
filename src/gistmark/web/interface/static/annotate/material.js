// What an annotator reads: summaries, and beside them a title, a document or its heat map, and
// references; and what to look for.

import { button, element } from "./dom.js";
import { gettext, interpolate, pieces } from "./translation.js";
import { WordText, shownDocument } from "./words.js";

const LEVELS = 5;
const THRESHOLD = "threshold";

// A passage with a heading, such as a summary. Language and direction are those of the text; one
// whose words can be marked comes as an element.
export function passage(heading, text, { lang = null, kind = "summary", level = "h3" } = {}) {
  const shown = text instanceof Element
    ? text : element("p", { class: "text", lang, dir: "auto" }, text);
  return element("section", { class: `passage ${kind}` }, element(level, {}, heading), shown);
}

export function titleOf(item) {
  if (!item.title) return null;
  return element("section", { class: "item-title" },
    element("h3", {}, gettext("Title")), element("p", { lang: item.lang, dir: "auto" }, item.title));
}

// The document of an item; `marked` is a `WordText` of it, where its words can be marked.
export function documentOf(item, answer, marked = null) {
  if (item.document === undefined) return null;
  const options = { lang: item.lang, kind: "document" };
  if (item.heat !== undefined) {
    return passage(gettext("Document"), heatMap(item, answer, marked ?? wordText(item)), options);
  }
  const text = marked === null ? shownDocument(item).text : markable(marked);
  return passage(gettext("Document"), text, options);
}

// The words of a document, as they are painted or marked.
export function wordText(item) {
  const stored = item.heat?.map(({ start, end }) => [start, end]) ?? item.words;
  const { text, words } = shownDocument(item, stored);
  return new WordText(text, words, { lang: item.lang });
}

// What holds a text that is marked, and the tools beside it.
export function markable(text) {
  return text.node.parentElement ?? element("div", { class: "marking" }, text.node);
}

export function referencesOf(item) {
  const references = item.references ?? [];
  return references.map((text, index) => passage(
    references.length === 1
      ? gettext("Reference") : interpolate(gettext("Reference %(number)s"), { number: index + 1 }),
    text, { kind: "reference" }));
}

// What to look for in a dimension, folded away.
export function guidance({ guidance: text }) {
  if (!text) return null;
  return element("details", { class: "guidance" },
    element("summary", {}, gettext("What to look for")),
    element("p", { dir: "auto" }, text));
}

// On a narrow screen the two summaries of a pair stand one above the other.
const SIDES = {
  left: [gettext("Left"), gettext("(above)")], right: [gettext("Right"), gettext("(below)")],
};

// The name of a side of a pair: "left" or "right".
export function sideName(side) {
  const [name, stacked] = SIDES[side];
  return element("span", {}, name, element("span", { class: "narrow-only" }, ` ${stacked}`));
}

// Two summaries side by side.
export function pairOf(item) {
  return element("div", { class: "pair" },
    Object.keys(SIDES).map((side) => passage(sideName(side), item[side], { lang: item.lang })));
}

// Two columns; the sticky one stays in sight while the other scrolls by.
export function columns(left, right, sticky) {
  const side = (name, children) => (
    element("div", { class: name === sticky ? "column sticky" : "column" }, ...children));
  return element("div", { class: "columns" }, side("left", left), side("right", right));
}

// A passage that stays in sight on a narrow screen, where a button folds it.
export function pinned(node) {
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

const MARKED_BY = {
  people: gettext("What is coloured was marked by people."),
  program: gettext("What is coloured was marked by a program, not by people."),
  programs: gettext("What is coloured was marked by programs, not by people."),
  both: gettext("What is coloured was marked by people, and also by a program."),
};

// The document as a heat map: the more often a word was marked, the stronger its colour and the
// thicker the line under it. A slider hides the weaker ones; its moves are logged.
function heatMap(item, answer, text) {
  const heats = item.heat.map(({ heat }) => heat);
  const paint = (position) => {
    const least = item.steps[position] ?? Infinity;
    const painted = (heat) => (heat >= least ? `heat heat-${Math.ceil(heat * LEVELS)}` : "");
    text.paint((index) => painted(heats[index]),
      (index) => painted(Math.min(heats[index], heats[index + 1] ?? 0)), "heat");
  };
  const start = answer.lastMove(item.key, THRESHOLD) ?? 0;
  paint(start);
  return element("div", { class: "heat-map" },
    element("p", { class: "hint marked-by" }, MARKED_BY[item.marked_by]),
    item.steps.length > 1 ? threshold(item, answer, start, paint) : null,
    markable(text));
}

function threshold(item, answer, start, paint) {
  const id = `threshold-${item.key}`;
  const last = item.steps.length - 1;
  const describe = (position) => (position === 0 ? gettext("all colours") : position === last
    ? gettext("only the strongest") : interpolate(gettext("%(shown)s of %(count)s colours"), {
      shown: last + 1 - position, count: last + 1,
    }));
  const shown = element("span", { class: "threshold-value" }, describe(start));
  const input = element("input", {
    type: "range", id, min: 0, max: last, step: 1, "aria-valuetext": describe(start),
    on: {
      input: () => {
        paint(input.valueAsNumber);
        shown.textContent = describe(input.valueAsNumber);
        input.setAttribute("aria-valuetext", describe(input.valueAsNumber));
      },
      change: () => answer.move(item.key, THRESHOLD, input.valueAsNumber),
    },
  });
  input.value = start;
  return element("div", { class: "threshold" },
    element("label", { for: id }, gettext("Show")), input, shown, legend());
}

function legend() {
  const swatches = element("span", { "aria-hidden": "true" },
    Array.from({ length: LEVELS }, (_, index) => (
      element("span", { class: `heat heat-${index + 1}` }, "\u00a0a\u00a0"))));
  return element("p", { class: "legend" },
    pieces(gettext("few marks %(colours)s many marks"), { colours: swatches }));
}
