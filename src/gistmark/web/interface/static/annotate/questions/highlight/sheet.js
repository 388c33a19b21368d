// A text with the marks that an annotator makes on it: whole words, a budget, undo and redo. The
// server applies the same rules again (gistmark/judgements/highlights.py).

import { gettext, interpolate, ngettext } from "../../translation.js";
import { covered, shownDocument, touched } from "../../words.js";

export class Sheet {
  // `marks` are characters as the server counts them: [{start, end}, ...].
  constructor(item, budget, marks = []) {
    const { text, words } = shownDocument(item, item.words, item.uncounted);
    this.text = text;
    this.budget = budget;
    this.words = words;
    this.marks = marks.map(({ start, end }) => touched(this.words, start, end, "start", "end"))
      .filter((mark) => mark !== null);
    this.past = [];
    this.future = [];
  }

  get wordsLeft() {
    return this.budget - this.count(this.marks);
  }

  // How many words of some marks count against the budget.
  count(marks) {
    return [...covered(marks)].filter((index) => this.words[index].counts).length;
  }

  // Adds a mark over the words first to last; returns why not where that cannot be.
  add(first, last) {
    if (this.marks.some((mark) => mark.first === first && mark.last === last)) {
      return gettext("These words are marked already.");
    }
    if (this.count([{ first, last }]) === 0) {
      return gettext("There is no word in what you selected.");
    }
    const marks = [...this.marks, { first, last }];
    const over = this.count(marks) - this.budget;
    if (over > 0) {
      return interpolate(ngettext(
        "That would be %(count)s word more than the %(budget)s you may mark. " +
          "Select fewer words, or remove a mark.",
        "That would be %(count)s words more than the %(budget)s you may mark. " +
          "Select fewer words, or remove a mark.", over), { budget: this.budget });
    }
    this.#change(marks);
    return null;
  }

  remove(number) {
    this.#change(this.marks.filter((_, index) => index !== number));
  }

  undo() {
    return this.#travel(this.past, this.future);
  }

  redo() {
    return this.#travel(this.future, this.past);
  }

  // How many marks cover each marked word.
  depths() {
    const depths = new Map();
    for (const { first, last } of this.marks) {
      for (let index = first; index <= last; index += 1) {
        depths.set(index, (depths.get(index) ?? 0) + 1);
      }
    }
    return depths;
  }

  // The words whose mark goes on to the next word.
  joints() {
    return covered(this.marks.map(({ first, last }) => ({ first, last: last - 1 })));
  }

  // The number of the latest mark over a word, or -1.
  markAt(index) {
    return this.marks.findLastIndex(({ first, last }) => first <= index && index <= last);
  }

  phrase({ first, last }) {
    return this.text.slice(this.words[first].from, this.words[last].to);
  }

  toMapping() {
    return this.marks.map(({ first, last }) => (
      { start: this.words[first].start, end: this.words[last].end }));
  }

  #change(marks) {
    this.past.push(this.marks);
    this.future = [];
    this.marks = marks;
  }

  #travel(from, to) {
    if (!from.length) return false;
    to.push(this.marks);
    this.marks = from.pop();
    return true;
  }
}
