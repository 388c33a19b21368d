// The errors that an annotator marks in a summary, and what is said of each. The server applies the
// same rules again (gistmark/judgements/forms/spans.py).

import { touched } from "../../../words.js";

const MISSING = "omission";
const MOST_SPANS = 200;

// An error is what the answer has: {start, end, category, severity, comment, source}, where
// start, end and source count as the server does. What is missing from the summary is one without
// start and end.
export class Errors {
  #words;

  constructor({ words }, value) {
    this.#words = words;
    this.list = (value?.spans ?? []).map((error) => ({ ...error }));
    this.missing = value?.missing ? { ...value.missing } : null;
    this.none = value?.none ?? false;
  }

  get isFull() {
    return this.list.length >= MOST_SPANS;
  }

  get isEmpty() {
    return this.list.length === 0 && this.missing === null;
  }

  // The errors in the order of the summary.
  get inOrder() {
    return [...this.list].sort((one, other) => one.start - other.start || one.end - other.end);
  }

  // All that is marked, what is missing included.
  get all() {
    return this.missing === null ? this.list : [...this.list, this.missing];
  }

  add(range) {
    const error = this.#span(range);
    this.list.push(error);
    this.none = false;
    return error;
  }

  // Moves an error to other words; false where it is there already.
  move(error, range) {
    const span = this.#span(range);
    if (this.#alike({ ...error, ...span }).some((each) => each !== error)) return false;
    Object.assign(error, span);
    return true;
  }

  remove(error) {
    this.list = this.list.filter((each) => each !== error);
  }

  setMissing(isMissing) {
    this.missing = isMissing ? { category: MISSING } : null;
    if (isMissing) this.none = false;
  }

  // The first and the last word of an error, or null where the text has changed under it.
  rangeOf({ start, end }) {
    return touched(this.#words, start, end, "start", "end");
  }

  // The latest error over a word, or null.
  at(index) {
    return this.list.findLast((error) => {
      const range = this.rangeOf(error);
      return range !== null && range.first <= index && index <= range.last;
    }) ?? null;
  }

  // Whether another error over the same words has this category.
  isTaken(error, category) {
    return this.#alike({ ...error, category }).some((each) => each !== error);
  }

  // What an error still lacks: "category", "severity" or null.
  lacks(error, { severities }) {
    if (!error.category) return "category";
    return severities.length && !error.severity ? "severity" : null;
  }

  toValue() {
    const value = {};
    if (this.list.length) value.spans = this.list.map(plain);
    if (this.missing !== null) value.missing = plain(this.missing);
    if (this.none) value.none = true;
    return Object.keys(value).length ? value : null;
  }

  #span({ first, last }) {
    return { start: this.#words[first].start, end: this.#words[last].end };
  }

  #alike({ start, end, category }) {
    return this.list.filter((each) => (
      category && each.start === start && each.end === end && each.category === category));
  }
}

// An error without what is empty.
function plain(error) {
  const kept = Object.entries(error).filter(([, value]) => value !== "" && value !== null);
  return structuredClone(Object.fromEntries(kept));
}
