// The small bar beside selected words: mark them, or remove the mark that is there.

import { button, element, plural } from "./dom.js";

const MARGIN = 6;

export class FloatingTools {
  constructor(text, selection, { mark, remove }) {
    this.text = text;
    this.selection = selection;
    this.mark = button("Mark", mark, { class: "primary small" });
    this.remove = button("Remove mark", remove, { class: "small" });
    const cancel = button("×", () => selection.clear(), {
      class: "quiet small", "aria-label": "Select nothing",
    });
    this.message = element("p", { class: "message-line", role: "alert" });
    this.node = element("div", {
      class: "floating", role: "group", "aria-label": "Selected words", hidden: true,
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
    this.mark.textContent = `Mark (${plural(range.last - range.first + 1, "word")})`;
    this.remove.hidden = range.first !== range.last || sheet.markAt(cursor) < 0;
    this.node.classList.toggle("for-touch", this.selection.byTouch);
    this.#position(this.text.spans[range.first], this.text.spans[range.last]);
  }

  // Says why the words cannot be marked, right there and without moving the text.
  say(sentence) {
    if (this.message.textContent !== sentence) this.message.textContent = sentence;
  }

  // Under the last line of the selection; for fingers the style sheet has another place.
  #position(first, last) {
    const frame = this.node.parentElement.getBoundingClientRect();
    const start = first.getClientRects()[0];
    const end = [...last.getClientRects()].at(-1);
    const oneLine = Math.abs(start.top - end.top) < end.height / 2;
    const left = (oneLine ? start.left : end.left) - frame.left;
    const room = frame.width - this.node.offsetWidth;
    this.node.style.setProperty("--top", `${end.bottom - frame.top + MARGIN}px`);
    this.node.style.setProperty("--left", `${Math.max(0, Math.min(left, room))}px`);
  }
}
