// What stands around a document that is marked: the words left, the marks made, advice, and a
// small bar beside selected words.

import { button, element, keycap } from "../../dom.js";
import { formatNumber, gettext, interpolate, ngettext, pieces } from "../../translation.js";

const MARGIN = 6;
// What stands between the stars is printed in bold.
const ADVICE = [
  gettext("*Who* took part, or was affected?"), gettext("*What* happened?"),
  gettext("*When* was it?"), gettext("*Where* was it?"), gettext("*Why* did it come to that?"),
  gettext("*How* did it go on?"),
];

// Marks the selected words, or removes the mark that is there.
export class FloatingTools {
  constructor(text, selection, { mark, remove }) {
    this.text = text;
    this.selection = selection;
    this.mark = button(gettext("Mark"), mark, { class: "primary small" });
    this.remove = button(gettext("Remove mark"), remove, { class: "small" });
    const cancel = button("×", () => selection.clear(), {
      class: "quiet small", "aria-label": gettext("Select nothing"),
    });
    this.message = element("p", { class: "message-line", role: "alert" });
    this.node = element("div", {
      class: "floating", role: "group", "aria-label": gettext("Selected words"), hidden: true,
    }, this.mark, this.remove, cancel, this.message);
    document.addEventListener("pointerdown", ({ target }) => {
      const inside = this.node.contains(target) || text.node.contains(target);
      if (selection.range && !inside) selection.clear();
    });
  }

  refresh(sheet) {
    const { range, cursor, dragging } = this.selection;
    this.node.hidden = range === null || dragging;
    if (this.node.hidden) return;
    this.mark.textContent = ngettext(
      "Mark (%(count)s word)", "Mark (%(count)s words)", sheet.count([range]));
    this.remove.hidden = range.first !== range.last || sheet.markAt(cursor) < 0;
    this.node.classList.toggle("for-touch", this.selection.byTouch);
    this.#position(this.text.spans[range.first], this.text.spans[range.last]);
  }

  // Tells why the words cannot be marked, right there and without moving the text.
  say(sentence) {
    if (this.message.textContent !== sentence) this.message.textContent = sentence;
  }

  // Under the last line of the selection; for fingers the style sheet has another position.
  #position(first, last) {
    const frame = this.node.parentElement.getBoundingClientRect();
    const start = first.getClientRects()[0];
    const end = [...last.getClientRects()].at(-1);
    const oneLine = Math.abs(start.top - end.top) < end.height / 2;
    const beside = oneLine ? start : end;
    const spare = frame.width - this.node.offsetWidth;
    const left = getComputedStyle(this.text.node).direction === "rtl"
      ? beside.right - frame.left - this.node.offsetWidth : beside.left - frame.left;
    this.node.style.setProperty("--top", `${end.bottom - frame.top + MARGIN}px`);
    this.node.style.setProperty("--left", `${Math.max(0, Math.min(left, spare))}px`);
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

export function waysToMark(id) {
  return element("details", { class: "panel" },
    element("summary", {}, gettext("Ways to mark")),
    element("p", {}, gettext("Mouse: drag over words, or click one. Touch: tap the first word, " +
      "then the last one. Then press Mark.")),
    element("p", { id, class: "keys" }, pieces(gettext("Keyboard: %(left)s %(right)s %(up)s %(down)s move by " +
      "words, with %(shift)s they select; %(enter)s marks, %(delete)s removes, %(control)s %(z)s " +
      "undoes."), {
      left: keycap("←"), right: keycap("→"), up: keycap("↑"), down: keycap("↓"),
      shift: keycap(gettext("Shift")), enter: keycap(gettext("Enter")),
      delete: keycap(gettext("Delete")), control: keycap(gettext("Ctrl")), z: keycap("Z"),
    })));
}
