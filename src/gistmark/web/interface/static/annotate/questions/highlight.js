// Highlighting: words of a document are marked, within a budget.

import { element } from "../dom.js";
import { faultLine } from "../feedback.js";
import { titleOf } from "../material.js";
import { gettext, interpolate, ngettext } from "../translation.js";
import { WordText } from "../words.js";
import { BudgetBar, FloatingTools, adviceOnMarks, phraseList, waysToMark } from "./highlight/panels.js";
import { WordSelection } from "./highlight/selection.js";
import { Sheet } from "./highlight/sheet.js";

const PART = "highlights";

export function question(task) {
  return {
    heading: gettext("Mark what matters"),
    noun: gettext("Document"),
    build: ({ item }, { answer, announce }) => new Highlighting(task, item, answer, announce).node,
    missing: ({ item }, answer) => (answer.part(item.key, PART)?.length
      ? [] : [{ target: marksId(item), text: gettext("Mark at least one word.") }]),
  };
}

function marksId({ key }) {
  return `marks-${key}`;
}

class Highlighting {
  constructor(task, item, answer, announce) {
    this.item = item;
    this.answer = answer;
    this.announce = announce;
    this.sheet = new Sheet(item, task.budget, answer.part(item.key, PART) ?? []);
    this.text = new WordText(this.sheet.text, this.sheet.words, {
      lang: item.lang, tabindex: "0", role: "group", "aria-label": gettext("Document"),
      "aria-describedby": `ways-${item.key}`, id: marksId(item),
    });
    this.selection = new WordSelection(this.text);
    this.budget = new BudgetBar(this.sheet, { undo: () => this.undo(), redo: () => this.redo() });
    this.phrases = element("ol", { class: "phrases" });
    this.tools = new FloatingTools(this.text, this.selection, {
      mark: () => this.mark(), remove: () => this.removeAtCursor(),
    });
    this.node = this.#build();
    this.node.addEventListener("keydown", (event) => this.#onKey(event));
    this.selection.addEventListener("select", () => this.#onSelect());
    this.#refresh();
  }

  mark() {
    const { range } = this.selection;
    const refusal = this.sheet.add(range.first, range.last);
    if (refusal) {
      this.tools.say(refusal);
      return;
    }
    this.selection.clear();
    this.#changed(interpolate(gettext("Marked: %(phrase)s."), {
      phrase: this.sheet.phrase(range),
    }));
  }

  remove(number) {
    const phrase = this.sheet.phrase(this.sheet.marks[number]);
    this.sheet.remove(number);
    this.#changed(interpolate(gettext("Removed: %(phrase)s."), { phrase }));
  }

  removeAtCursor() {
    const number = this.sheet.markAt(this.selection.cursor);
    if (number >= 0) this.remove(number);
  }

  undo() {
    if (this.sheet.undo()) this.#changed(gettext("Undone."));
  }

  redo() {
    if (this.sheet.redo()) this.#changed(gettext("Redone."));
  }

  #build() {
    const { item } = this;
    return element("div", { class: "columns highlighting" },
      element("div", { class: "column" },
        titleOf(item),
        this.budget.node,
        element("section", { class: "passage document" },
          element("h3", { class: "visually-hidden" }, gettext("Document")),
          element("div", { class: "marking" }, this.text.node, this.tools.node),
          faultLine(`items.${item.key}.highlights`))),
      element("div", { class: "column sticky" },
        element("section", { class: "panel" },
          element("h3", {}, gettext("Your marks")), this.phrases),
        adviceOnMarks(),
        waysToMark(`ways-${item.key}`)));
  }

  #changed(what) {
    this.answer.setPart(this.item.key, PART, this.sheet.toMapping());
    const left = ngettext("%(count)s word left.", "%(count)s words left.", this.sheet.wordsLeft);
    this.announce(`${what} ${left}`);
    this.#refresh();
  }

  #onSelect() {
    const { range } = this.selection;
    this.tools.say("");
    this.#paint();
    this.tools.refresh(this.sheet);
    if (range && document.activeElement === this.text.node) this.announce(this.sheet.phrase(range));
  }

  #refresh() {
    this.#paint();
    this.budget.refresh();
    const remove = (number) => this.remove(number);
    this.phrases.replaceChildren(...phraseList(this.sheet, this.text, remove));
    this.tools.refresh(this.sheet);
  }

  #paint() {
    const depths = this.sheet.depths();
    const joined = this.sheet.joints();
    const { range, cursor } = this.selection;
    const chosen = (index) => range !== null && range.first <= index && index <= range.last;
    this.text.paint(
      (index) => classes({
        marked: depths.has(index),
        twice: depths.get(index) > 1,
        chosen: chosen(index),
        cursor: range !== null && index === cursor,
      }),
      (index) => classes({
        marked: joined.has(index),
        chosen: chosen(index) && chosen(index + 1),
      }));
  }

  #onKey(event) {
    const action = event.ctrlKey || event.metaKey ? this.#command(event) : this.#plainKey(event);
    if (action === null) return;
    event.preventDefault();
    action();
  }

  #command({ key, shiftKey }) {
    const letter = key.toLowerCase();
    if (letter === "y" || (letter === "z" && shiftKey)) return () => this.redo();
    return letter === "z" ? () => this.undo() : null;
  }

  #plainKey({ key, target }) {
    if (target !== this.text.node || this.selection.range === null) return null;
    if (key === "Enter" || key === " ") return () => this.mark();
    return key === "Delete" || key === "Backspace" ? () => this.removeAtCursor() : null;
  }
}

function classes(named) {
  return Object.keys(named).filter((name) => named[name]).join(" ");
}
