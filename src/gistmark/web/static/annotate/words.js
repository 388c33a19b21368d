// The words of a text, as the server has them (gistmark/text/words.py): what white space
// separates. The server counts characters as Python does (code points), JavaScript counts UTF-16
// units; an emoji is one of the first and two of the second.

import { element } from "./dom.js";

// Python's white space, which is not quite that of JavaScript's \s.
const WORD = /[^\t\n\v\f\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu;

export function wordsOf(text) {
  const words = [];
  let seen = 0;
  let points = 0;
  for (const match of text.matchAll(WORD)) {
    points += codePoints(text.slice(seen, match.index));
    const start = points;
    points += codePoints(match[0]);
    seen = match.index + match[0].length;
    words.push({ text: match[0], from: match.index, to: seen, start, end: points });
  }
  return words;
}

function codePoints(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

// The first and the last word that a stretch touches, or null where it touches none: the words
// that a highlight covers (`touched_words` in gistmark/text/words.py). `low` and `high` name the
// ends of a word in the same unit as the stretch.
export function touched(words, start, end, low = "from", high = "to") {
  const first = firstIndex(words, (word) => word[high] > start);
  const last = firstIndex(words, (word) => word[low] >= end) - 1;
  return first <= last ? { first, last } : null;
}

// The indices of all words that some marks cover, each once: what counts against a budget
// (`covered_words` in gistmark/text/words.py).
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

  constructor(text, words, attributes = {}) {
    this.text = text;
    this.words = words;
    this.spans = [];
    this.gaps = [];
    this.node = element("div", { class: "text words", dir: "auto", ...attributes });
    let seen = 0;
    for (const [index, word] of words.entries()) {
      if (word.from > seen) this.#addGap(index, seen, word.from);
      const span = this.#add("word", word.text, word.from);
      span.dataset.index = index;
      this.spans.push(span);
      seen = word.to;
    }
  }

  // Paints every word, and the gap after it, with the classes that are given for its index.
  paint(wordClasses, gapClasses = () => "") {
    for (const [index, span] of this.spans.entries()) {
      setClass(span, `word ${wordClasses(index)}`.trim());
      if (this.gaps[index]) setClass(this.gaps[index], `gap ${gapClasses(index)}`.trim());
    }
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
    return range.toString().length + (this.words[0]?.from ?? 0);
  }

  #addGap(index, from, to) {
    if (index === 0) return;
    this.gaps[index - 1] = this.#add("gap", this.text.slice(from, to), from);
  }

  #add(kind, text, from) {
    const span = element("span", { class: kind }, text);
    this.#starts.set(span.firstChild, from);
    this.node.append(span);
    return span;
  }
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
