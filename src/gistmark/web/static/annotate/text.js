// Texts on the screen: plain ones, and ones whose words are elements.

import { element } from "./dom.js";

// A passage with a heading, such as a summary. Language and direction are those of the text.
export function passage(heading, text, { lang = null, kind = "summary", level = "h3" } = {}) {
  return element("section", { class: `passage ${kind}` },
    element(level, {}, heading),
    element("p", { class: "text", lang, dir: "auto" }, text));
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
    for (const [place, word] of words.entries()) {
      if (word.from > seen) this.#addGap(place, seen, word.from);
      const span = this.#add("word", word.text, word.from);
      span.dataset.place = place;
      this.spans.push(span);
      seen = word.to;
    }
  }

  // Paints every word, and the gap after it, with the classes that are given for its place.
  paint(wordClasses, gapClasses = () => "") {
    for (const [place, span] of this.spans.entries()) {
      setClass(span, `word ${wordClasses(place)}`.trim());
      if (this.gaps[place]) setClass(this.gaps[place], `gap ${gapClasses(place)}`.trim());
    }
  }

  // Which word an element belongs to, or null.
  placeOf(target) {
    const span = target instanceof Element ? target.closest(".word") : null;
    return span && this.node.contains(span) ? Number(span.dataset.place) : null;
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

  #addGap(place, from, to) {
    if (place === 0) return;
    this.gaps[place - 1] = this.#add("gap", this.text.slice(from, to), from);
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
