// What stands around a document that is marked: words left, the marks made, and advice.

import { button, element } from "./dom.js";

const ADVICE = [
  ["Who", "took part, or was affected?"], ["What", "happened?"], ["When", "was it?"],
  ["Where", "was it?"], ["Why", "did it come to that?"], ["How", "did it go on?"],
];

export class BudgetBar {
  constructor(sheet, { undo, redo }) {
    this.sheet = sheet;
    this.left = element("strong", {});
    this.meter = element("progress", { max: sheet.budget, "aria-label": "Words used" });
    this.undo = button("Undo", undo, { class: "small" });
    this.redo = button("Redo", redo, { class: "small" });
    this.node = element("div", { class: "budget" },
      element("p", { class: "budget-words", "aria-live": "polite" },
        this.left, ` of ${sheet.budget} words left`),
      this.meter, this.undo, this.redo);
  }

  refresh() {
    this.left.textContent = String(this.sheet.wordsLeft);
    this.meter.value = this.sheet.budget - this.sheet.wordsLeft;
    // A button that is really disabled would lose the focus of whoever has just pressed it.
    this.undo.setAttribute("aria-disabled", String(!this.sheet.past.length));
    this.redo.setAttribute("aria-disabled", String(!this.sheet.future.length));
  }
}

// The marks in the order of the text; a click on one leads to it.
export function phraseList(sheet, text, remove) {
  if (!sheet.marks.length) return [element("li", { class: "hint none" }, "Nothing is marked yet.")];
  const order = sheet.marks.map((mark, number) => ({ mark, number }))
    .sort((one, other) => one.mark.first - other.mark.first);
  return order.map(({ mark, number }) => {
    const phrase = sheet.phrase(mark);
    const find = () => text.spans[mark.first].scrollIntoView({ block: "center" });
    return element("li", {},
      button(phrase, find, { class: "phrase quiet small", title: "Show in the document" }),
      button("×", () => remove(number), {
        class: "remove quiet small", "aria-label": `Remove the mark: ${phrase}`,
      }));
  });
}

export function adviceOnMarks() {
  return element("details", { class: "panel", open: true },
    element("summary", {}, "Not sure what to mark?"),
    element("p", {}, "Look for the words that answer:"),
    element("ul", {}, ADVICE.map(([word, rest]) => (
      element("li", {}, element("b", {}, word), ` ${rest}`)))),
    element("p", {}, "Not every text answers all of them, and you may mark what none of them asks " +
      "for."));
}

export function waysToMark(id) {
  const key = (name) => element("kbd", {}, name);
  return element("details", { class: "panel" },
    element("summary", {}, "Ways to mark"),
    element("p", {}, "Mouse: drag over words, or click one. Touch: tap the first word, then the " +
      "last one. Then press Mark."),
    element("p", { id }, "Keyboard: ", key("←"), " ", key("→"), " ", key("↑"), " ", key("↓"),
      " move by words, with ", key("Shift"), " they select; ", key("Enter"), " marks, ",
      key("Delete"), " removes, ", key("Ctrl"), " ", key("Z"), " undoes."));
}
