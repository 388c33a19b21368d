// What stands around a document that is marked: the words left, the marks made, advice, and a
// small bar beside selected words.

import { button, element, keycap } from "../../dom.js";
import { formatNumber, gettext, interpolate, ngettext, pieces } from "../../translation.js";
import { SelectionBar, wordsToMark } from "./bar.js";

// What stands between the stars is printed in bold.
const ADVICE = [
  gettext("*Who* took part, or was affected?"), gettext("*What* happened?"),
  gettext("*When* was it?"), gettext("*Where* was it?"), gettext("*Why* did it come to that?"),
  gettext("*How* did it go on?"),
];

// Marks the selected words, or removes the mark that is there.
export class FloatingTools extends SelectionBar {
  constructor(text, selection, { mark, remove }) {
    const marking = button(gettext("Mark"), mark, { class: "primary small" });
    const removing = button(gettext("Remove mark"), remove, { class: "small" });
    super(text, selection, [marking, removing]);
    this.mark = marking;
    this.remove = removing;
  }

  refresh(sheet) {
    if (!this.show()) return;
    const { range, cursor } = this.selection;
    this.mark.textContent = wordsToMark(sheet.count([range]));
    this.remove.hidden = range.first !== range.last || sheet.markAt(cursor) < 0;
    this.position();
  }
}

export class BudgetBar {
  constructor(sheet, { undo, redo }) {
    this.sheet = sheet;
    this.left = element("strong", {});
    this.meter = element("progress", {
      max: sheet.budget, "aria-label": gettext("Words used"),
    });
    this.undo = button(gettext("Undo"), undo, { class: "small" });
    this.redo = button(gettext("Redo"), redo, { class: "small" });
    this.node = element("div", { class: "budget" },
      element("p", { class: "budget-words", "aria-live": "polite" }, pieces(ngettext(
        "%(left)s of %(count)s word left", "%(left)s of %(count)s words left", sheet.budget,
      ), { left: this.left })),
      this.meter, this.undo, this.redo);
  }

  refresh() {
    this.left.textContent = formatNumber(this.sheet.wordsLeft);
    this.meter.value = this.sheet.budget - this.sheet.wordsLeft;
    // A button that is really disabled would lose the focus of whoever has just pressed it.
    this.undo.setAttribute("aria-disabled", String(!this.sheet.past.length));
    this.redo.setAttribute("aria-disabled", String(!this.sheet.future.length));
  }
}

// The marks in the order of the text; a click on one leads to it.
export function phraseList(sheet, text, remove) {
  if (!sheet.marks.length) {
    return [element("li", { class: "hint none" }, gettext("Nothing is marked yet."))];
  }
  const order = sheet.marks.map((mark, number) => ({ mark, number }))
    .sort((one, other) => one.mark.first - other.mark.first);
  return order.map(({ mark, number }) => {
    const phrase = sheet.phrase(mark);
    const find = () => text.spans[mark.first].scrollIntoView({ block: "center" });
    return element("li", {},
      button(phrase, find, {
        class: "phrase quiet small", title: gettext("Show in the document"), dir: "auto",
      }),
      button("×", () => remove(number), {
        class: "remove quiet small",
        "aria-label": interpolate(gettext("Remove the mark: %(phrase)s"), { phrase }),
      }));
  });
}

export function adviceOnMarks() {
  return element("details", { class: "panel", open: true },
    element("summary", {}, gettext("Not sure what to mark?")),
    element("p", {}, gettext("Look for the words that answer:")),
    element("ul", {}, ADVICE.map((advice) => element("li", {}, withBold(advice)))),
    element("p", {}, gettext("Not every text answers all of them, and you may mark what none of " +
      "them asks for.")));
}

function withBold(sentence) {
  return sentence.split("*")
    .map((piece, index) => (index % 2 ? element("b", {}, piece) : piece));
}

const KEYS = gettext("Keyboard: %(left)s %(right)s %(up)s %(down)s move by words, with %(shift)s " +
  "they select; %(enter)s marks, %(delete)s removes, %(control)s %(z)s undoes.");

export function waysToMark(id, keys = KEYS) {
  return element("details", { class: "panel" },
    element("summary", {}, gettext("Ways to mark")),
    element("p", {}, gettext("Mouse: drag over words, or click one. Touch: tap the first word, " +
      "then the last one. Then press Mark.")),
    element("p", { id, class: "keys" }, pieces(keys, {
      left: keycap("←"), right: keycap("→"), up: keycap("↑"), down: keycap("↓"),
      shift: keycap(gettext("Shift")), enter: keycap(gettext("Enter")),
      delete: keycap(gettext("Delete")), control: keycap(gettext("Ctrl")), z: keycap("Z"),
    })));
}
