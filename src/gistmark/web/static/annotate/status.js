// What the page tells about itself: whether the work is saved, and what stands in the way.

import { button, element } from "./dom.js";

const SAVING = {
  changed: "Saving…",
  saving: "Saving…",
  offline: "Offline – will retry",
  conflict: "Not saved",
  refused: "Not saved",
};

const TROUBLES = new Set(["offline", "conflict", "refused"]);

export class Status {
  #line;
  #notices;
  #speaker;

  constructor({ line, notices, speaker }) {
    this.#line = line;
    this.#notices = notices;
    this.#speaker = speaker;
  }

  // Says something to those who listen instead of look.
  announce(text) {
    this.#speaker.textContent = text;
  }

  showSaving({ state, at }) {
    const text = state === "saved" ? `Saved ${clockTime(at)}` : SAVING[state];
    if (text === this.#line.textContent) return;
    this.#line.textContent = text;
    this.#line.classList.toggle("is-troubled", TROUBLES.has(state));
    if (state === "offline") this.announce("Offline. What you do is kept here and sent later.");
  }

  // Shows sentences with buttons: {text: action}; an earlier notice goes.
  notice(sentences, actions = {}) {
    const buttons = Object.entries(actions).map(([text, action]) => button(text, () => {
      this.clear();
      action();
    }, { class: "small" }));
    this.#notices.replaceChildren(element("div", { class: "notice is-warn", role: "alert" },
      sentences.map((sentence) => element("p", {}, sentence)),
      buttons.length ? element("div", { class: "row" }, buttons) : null));
  }

  clear() {
    this.#notices.replaceChildren();
  }
}

function clockTime(at) {
  return at.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
}
