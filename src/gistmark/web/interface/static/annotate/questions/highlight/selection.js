// Selecting words of a text: dragging with the mouse, tapping the first and the last word, the
// browser's own selection with its handles, or the keyboard. Always whole words.

import { touched } from "../../words.js";

export class WordSelection extends EventTarget {
  #text;
  #anchor = null;
  #focus = null;
  #pointer = "mouse";
  #dragging = false;
  #pressed = null;
  #released = null;
  #cursor = 0;

  constructor(text) {
    super();
    this.#text = text;
    const { node } = text;
    node.addEventListener("pointerdown", (event) => this.#onPointerDown(event));
    node.addEventListener("click", (event) => this.#onClick(event));
    node.addEventListener("keydown", (event) => this.#onKey(event));
    node.addEventListener("focus", () => this.#onFocus());
    document.addEventListener("selectionchange", () => this.#onSelectionChange());
    for (const end of ["pointerup", "pointercancel"]) {
      document.addEventListener(end, (event) => this.#onPointerUp(event));
    }
  }

  // {first, last} of the selected words, or null.
  get range() {
    if (this.#anchor === null) return null;
    const [first, last] = [this.#anchor, this.#focus].sort((one, other) => one - other);
    return { first, last };
  }

  // The word where the keyboard is.
  get cursor() {
    return this.#cursor;
  }

  // Whether a finger was used last.
  get byTouch() {
    return this.#pointer === "touch";
  }

  // Whether the mouse is still on its way.
  get dragging() {
    return this.#dragging;
  }

  clear() {
    this.#anchor = null;
    this.#focus = null;
    const native = window.getSelection();
    if (this.#inside(native)) native.removeAllRanges();
    this.#fire();
  }

  #set(anchor, focus) {
    this.#anchor = anchor;
    this.#focus = focus;
    this.#cursor = focus;
    this.#fire();
  }

  #fire() {
    this.dispatchEvent(new Event("select"));
  }

  #onPointerDown({ pointerType, button, shiftKey, target }) {
    this.#pointer = pointerType;
    this.#dragging = pointerType === "mouse" && button === 0;
    this.#pressed = this.#text.indexOf(target);
    this.#released = this.#pressed;
    // What is selected already would be dragged away instead of selected anew.
    if (this.#dragging && !shiftKey) window.getSelection().removeAllRanges();
  }

  #onPointerUp({ target }) {
    if (!this.#dragging) return;
    this.#dragging = false;
    this.#released = this.#text.indexOf(target);
    this.#fire();
  }

  // A drag that the browser did not take for a selection, as over an emoji, ends in a click too.
  #onClick(event) {
    const native = window.getSelection();
    if (this.#inside(native) && !native.isCollapsed) return;
    if (this.#pressed !== null && this.#released !== null && this.#pressed !== this.#released) {
      this.#set(this.#pressed, this.#released);
      return;
    }
    const index = this.#text.indexOf(event.target);
    if (index === null) {
      this.clear();
      return;
    }
    const extends_ = this.#anchor !== null && (event.shiftKey || this.byTouch);
    this.#set(extends_ ? this.#anchor : index, index);
  }

  // What the browser has selected, as far as it lies in the text.
  #onSelectionChange() {
    const native = window.getSelection();
    if (native.isCollapsed || !this.#inside(native)) return;
    const range = native.getRangeAt(0);
    const start = this.#text.offsetOf(range.startContainer, range.startOffset);
    const end = this.#text.offsetOf(range.endContainer, range.endOffset);
    const words = touched(this.#text.words, start, end);
    if (words === null) return;
    const { anchorNode, anchorOffset } = native;
    const backwards = anchorNode === range.endContainer && anchorOffset === range.endOffset;
    if (backwards) this.#set(words.last, words.first);
    else this.#set(words.first, words.last);
  }

  // Whether the text is on the screen, and some of it is selected.
  #inside(native) {
    const shown = this.#text.node.offsetParent !== null;
    return shown && native.rangeCount > 0 && native.getRangeAt(0).intersectsNode(this.#text.node);
  }

  #onFocus() {
    const byKeyboard = this.#text.node.matches(":focus-visible");
    if (byKeyboard && this.#anchor === null && this.#text.words.length) {
      this.#set(this.#cursor, this.#cursor);
    }
  }

  #onKey(event) {
    if (event.key === "Escape" && this.#anchor !== null) {
      event.preventDefault();
      this.clear();
      return;
    }
    const index = this.#target(event);
    if (index === null) return;
    event.preventDefault();
    const last = this.#text.words.length - 1;
    const target = Math.max(0, Math.min(last, index));
    this.#set(event.shiftKey && this.#anchor !== null ? this.#anchor : target, target);
    this.#text.spans[target].scrollIntoView({ block: "nearest" });
  }

  // The word that a key leads to, or null for a key that moves nothing.
  #target({ key, ctrlKey, metaKey, altKey }) {
    if (altKey || !this.#text.words.length) return null;
    const whole = ctrlKey || metaKey;
    const last = this.#text.words.length - 1;
    if (key === "Home") return whole ? 0 : this.#lineEnd(-1);
    if (key === "End") return whole ? last : this.#lineEnd(1);
    if (whole) return null;
    if (key === "ArrowLeft") return this.#cursor - this.#direction();
    if (key === "ArrowRight") return this.#cursor + this.#direction();
    if (key === "ArrowUp") return this.#onLine(-1);
    return key === "ArrowDown" ? this.#onLine(1) : null;
  }

  // Towards the right is forwards, unless the text runs from right to left.
  #direction() {
    return getComputedStyle(this.#text.node).direction === "rtl" ? -1 : 1;
  }

  // The word above or below: on the next line that way, the nearest one sideways.
  #onLine(step) {
    const { spans } = this.#text;
    const from = box(spans[this.#cursor]);
    let index = this.#cursor;
    while (spans[index] && sameLine(box(spans[index]), from)) index += step;
    if (!spans[index]) return this.#cursor;
    const line = box(spans[index]);
    let best = index;
    for (; spans[index] && sameLine(box(spans[index]), line); index += step) {
      if (distance(spans[index], from) < distance(spans[best], from)) best = index;
    }
    return best;
  }

  #lineEnd(step) {
    const { spans } = this.#text;
    const from = box(spans[this.#cursor]);
    let index = this.#cursor;
    while (spans[index + step] && sameLine(box(spans[index + step]), from)) index += step;
    return index;
  }
}

function box(span) {
  return span.getClientRects()[0];
}

function sameLine(one, other) {
  return Math.abs(one.top - other.top) < other.height / 2;
}

function distance(span, from) {
  const { left, right } = box(span);
  return Math.abs((left + right) / 2 - (from.left + from.right) / 2);
}
