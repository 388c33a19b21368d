// The words of a text. The server says where they are (gistmark/text/markable.py), and counts
// characters as Python does (code points); JavaScript counts UTF-16 units, and an emoji is one of
// the first and two of the second.

import { element } from "./dom.js";

// Each word with its ends in the text (from, to), its ends as the server has them (start, end), and
// whether it counts against a budget. `spans` are [start, end] in order; `stored` are those of the
// same words where the server has another text, a tokenised one.
export function wordsAt(text, spans, { uncounted = [], stored = spans } = {}) {
  const free = new Set(uncounted);
  const position = positions(text);
  return spans.map(([low, high], index) => {
    const [start, end] = stored[index];
    return { from: position(low), to: position(high), start, end, counts: !free.has(index) };
  });
}

// The document of an item as it is shown, and the words of it whose spans are given.
export function shownDocument({ document, shown, shown_words: words }, stored = [], uncounted = []) {
  const text = shown ?? document;
  return { text, words: wordsAt(text, words ?? stored, { uncounted, stored }) };
}

// The same for a summary whose words are marked.
export function shownSummary({ summary, summary_words: stored, summary_shown_words: words }) {
  return { text: summary, words: wordsAt(summary, words ?? stored, { stored }) };
}

// A function from code points to UTF-16 units, for offsets that rise.
function positions(text) {
  let points = 0;
  let units = 0;
  return (offset) => {
    for (; points < offset; points += 1) units += text.codePointAt(units) > 0xffff ? 2 : 1;
    return units;
  };
}

// The first and the last word that a stretch touches, or null where it touches none: the words
// that a highlight covers (`touched_words` in gistmark/text/words.py). `low` and `high` name the
// ends of a word in the same unit as the stretch.
export function touched(words, start, end, low = "from", high = "to") {
  const first = firstIndex(words, (word) => word[high] > start);
  const last = firstIndex(words, (word) => word[low] >= end) - 1;
  return first <= last ? { first, last } : null;
}

// The indices of all words that some marks cover, each once (`covered_words` in
// gistmark/text/words.py).
export function covered(marks) {
  const indices = new Set();
  for (const { first, last } of marks) {
    for (let index = first; index <= last; index += 1) indices.add(index);
  }
  return indices;
}

// A text whose words, and the gaps between them, can be painted.
export class WordText {
  #starts = new WeakMap();
  #layers = new Map();
  #first;

  constructor(text, words, attributes = {}) {
    this.text = text;
    this.words = words;
    this.spans = [];
    this.gaps = [];
    this.node = element("div", { class: "text words", dir: "auto", ...attributes });
    this.#first = text.length - text.trimStart().length;
    let seen = this.#first;
    for (const [index, word] of words.entries()) {
      if (word.from > seen) this.gaps[index - 1] = this.#add("gap", seen, word.from);
      const span = this.#add("word", word.from, word.to);
      span.dataset.index = index;
      this.spans.push(span);
      seen = word.to;
    }
    const end = text.trimEnd().length;
    if (end > seen) this.#add("gap", seen, end);
  }

  // Paints every word, and the gap after it, with the classes that are given for its index. One
  // text can have several layers of paint, such as heat and marks; each is painted by itself.
  paint(wordClasses, gapClasses = () => "", layer = "") {
    this.#layers.set(layer, { wordClasses, gapClasses });
    const layers = [...this.#layers.values()];
    for (const [index, span] of this.spans.entries()) {
      setClass(span, joined("word", layers.map((each) => each.wordClasses(index))));
      if (!this.gaps[index]) continue;
      setClass(this.gaps[index], joined("gap", layers.map((each) => each.gapClasses(index))));
    }
  }

  // The text of the words first to last; empty where there are none.
  phrase(range) {
    if (range === null) return "";
    return this.text.slice(this.words[range.first].from, this.words[range.last].to);
  }

  // The index of the word that an element belongs to, or null.
  indexOf(target) {
    const span = target instanceof Element ? target.closest(".word") : null;
    return span && this.node.contains(span) ? Number(span.dataset.index) : null;
  }

  // Where a point of the page lies in the text; before or after it counts as its start or end.
  offsetOf(container, offset) {
    if (container.nodeType === Node.TEXT_NODE && this.#starts.has(container)) {
      return this.#starts.get(container) + offset;
    }
    const range = document.createRange();
    range.selectNodeContents(this.node);
    if (range.comparePoint(container, offset) < 0) return 0;
    if (range.comparePoint(container, offset) > 0) return this.text.length;
    range.setEnd(container, offset);
    return range.toString().length + this.#first;
  }

  #add(kind, from, to) {
    const span = element("span", { class: kind }, this.text.slice(from, to));
    this.#starts.set(span.firstChild, from);
    this.node.append(span);
    return span;
  }
}

function joined(kind, classes) {
  return [kind, ...classes].filter((each) => each !== "").join(" ");
}

function setClass(span, classes) {
  if (span.className !== classes) span.className = classes;
}

function firstIndex(list, holds) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
