// Pointing from an error in a summary to the words of the document that show it.

import { button } from "../../../dom.js";
import { markable } from "../../../material.js";
import { gettext, interpolate } from "../../../translation.js";
import { covered, touched } from "../../../words.js";
import { SelectionBar } from "../../highlight/bar.js";
import { WordSelection } from "../../highlight/selection.js";

export class Pointer {
  #text;
  #marking;
  #selection;
  #bar;
  #error = null;
  #announce;

  constructor(text, marking, announce) {
    this.#text = text;
    this.#marking = marking;
    this.#announce = announce;
    this.#selection = new WordSelection(text);
    this.#bar = new SelectionBar(text, this.#selection, [
      button(gettext("Point to these words"), () => this.#point(), { class: "primary small" }),
    ]);
    markable(text).append(this.#bar.node);
    text.node.setAttribute("role", "group");
    text.node.setAttribute("aria-label", gettext("Document"));
    this.#selection.addEventListener("select", () => this.#onSelect());
    text.node.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || this.#error === null || !this.#selection.range) return;
      event.preventDefault();
      this.#point();
    });
  }

  // From now on, what is selected in the document belongs to this error; null is for none.
  aim(error) {
    this.#error = error;
    if (this.#selection.range) this.#selection.clear();
    if (error === null) this.#text.node.removeAttribute("tabindex");
    else this.#text.node.setAttribute("tabindex", "0");
  }

  start(error) {
    this.aim(error);
    this.#text.node.scrollIntoView({ block: "nearest" });
    this.#text.node.focus({ preventScroll: true });
    this.#announce(gettext("Select the words of the document that show it, then press Enter."));
  }

  phraseOf(source) {
    return this.#text.phrase(this.#rangeOf(source));
  }

  paint() {
    const { range, cursor } = this.#selection;
    const isAimed = this.#error !== null && range !== null;
    const chosen = (index) => isAimed && range.first <= index && index <= range.last;
    const sources = this.#marking.errors.all.filter(({ source }) => source)
      .map(({ source }) => this.#rangeOf(source)).filter((each) => each !== null);
    const words = covered(sources);
    const gaps = covered(sources.map(({ first, last }) => ({ first, last: last - 1 })));
    const classes = (isSource, isChosen, isCursor) => Object.entries({
      source: isSource, chosen: isChosen, cursor: isCursor,
    }).filter(([, holds]) => holds).map(([name]) => name).join(" ");
    this.#text.paint(
      (index) => classes(words.has(index), chosen(index), isAimed && index === cursor),
      (index) => classes(gaps.has(index), chosen(index) && chosen(index + 1), false));
  }

  #rangeOf({ start, end }) {
    return touched(this.#text.words, start, end, "start", "end");
  }

  #onSelect() {
    this.paint();
    if (!this.#bar.show(this.#error !== null)) return;
    this.#bar.position();
    if (document.activeElement === this.#text.node) {
      this.#announce(this.#text.phrase(this.#selection.range));
    }
  }

  #point() {
    const { first, last } = this.#selection.range;
    const { words } = this.#text;
    const source = { start: words[first].start, end: words[last].end };
    const error = this.#error;
    this.#selection.clear();
    this.#marking.point(error, source);
    this.#announce(interpolate(gettext("In the document: “%(phrase)s”"), {
      phrase: this.phraseOf(source),
    }));
  }
}
