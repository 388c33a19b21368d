// A small bar beside selected words, with what can be done with them.

import { button, element } from "../../dom.js";
import { gettext, ngettext } from "../../translation.js";

const MARGIN = 6;

export class SelectionBar {
  constructor(text, selection, buttons) {
    this.text = text;
    this.selection = selection;
    const cancel = button("×", () => selection.clear(), {
      class: "quiet small", "aria-label": gettext("Select nothing"),
    });
    this.message = element("p", { class: "message-line", role: "alert" });
    this.node = element("div", {
      class: "floating", role: "group", "aria-label": gettext("Selected words"), hidden: true,
    }, buttons, cancel, this.message);
    document.addEventListener("pointerdown", ({ target }) => {
      const inside = this.node.contains(target) || text.node.contains(target);
      if (selection.range && !inside) selection.clear();
    });
  }

  // Shows the bar where something is selected, and hides it elsewhere; returns whether it shows.
  show(wanted = true) {
    const { range, dragging, byTouch } = this.selection;
    this.node.hidden = !wanted || range === null || dragging;
    this.node.classList.toggle("for-touch", byTouch);
    return !this.node.hidden;
  }

  // Tells why something cannot be done, right there and without moving the text.
  say(sentence) {
    if (this.message.textContent !== sentence) this.message.textContent = sentence;
  }

  // Under the last line of the selection; for fingers the style sheet has another position.
  position() {
    const { range } = this.selection;
    const frame = this.node.parentElement.getBoundingClientRect();
    const start = this.text.spans[range.first].getClientRects()[0];
    const end = [...this.text.spans[range.last].getClientRects()].at(-1);
    const oneLine = Math.abs(start.top - end.top) < end.height / 2;
    const beside = oneLine ? start : end;
    const spare = frame.width - this.node.offsetWidth;
    const left = getComputedStyle(this.text.node).direction === "rtl"
      ? beside.right - frame.left - this.node.offsetWidth : beside.left - frame.left;
    this.node.style.setProperty("--top", `${end.bottom - frame.top + MARGIN}px`);
    this.node.style.setProperty("--left", `${Math.max(0, Math.min(left, spare))}px`);
  }
}

// What is on the button that marks so many words.
export function wordsToMark(count) {
  return ngettext("Mark (%(count)s word)", "Mark (%(count)s words)", count);
}
