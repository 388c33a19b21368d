// What the page reports: whether the work is saved, what stands in the way, and, beside each
// control, what the server says is wrong with its field of the answer.

import { button, element } from "./dom.js";
import { formatTime, gettext, interpolate } from "./translation.js";

const SAVING = {
  changed: gettext("Saving…"),
  saving: gettext("Saving…"),
  offline: gettext("Offline – will retry"),
  conflict: gettext("Not saved"),
  refused: gettext("Not saved"),
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
    const text = state === "saved"
      ? interpolate(gettext("Saved %(time)s"), { time: formatTime(at) }) : SAVING[state];
    if (text === this.#line.textContent) return;
    this.#line.textContent = text;
    this.#line.classList.toggle("is-troubled", TROUBLES.has(state));
    if (state === "offline") {
      this.announce(gettext("Offline. What you do is kept here and sent later."));
    }
  }

  // Shows sentences with a link and buttons: {text: action}; an earlier notice goes.
  notice(sentences, actions = {}, link = null) {
    const buttons = Object.entries(actions).map(([text, action]) => button(text, () => {
      this.clear();
      action();
    }, { class: "small" }));
    this.#notices.replaceChildren(element("div", { class: "notice is-warn", role: "alert" },
      sentences.map((sentence) => element("p", {}, sentence)),
      link || buttons.length ? element("div", { class: "row" }, link, buttons) : null));
  }

  clear() {
    this.#notices.replaceChildren();
  }
}

// The line for what is wrong with one field, such as `items.1.ratings.fluency.value`.
export function faultLine(field) {
  return element("p", { class: "fault", role: "alert", "data-field": field });
}

// What the server says of a field is for programs; a person gets a sentence for its kind
// (`FaultKind` in gistmark/judgements/fields.py).
const FAULTS = {
  missing: gettext("This has no answer yet."),
  wrong: gettext("This answer cannot be used; please give it again."),
  budget: gettext("More words are marked than you may mark."),
};

// Shows each fault beside its field; returns the messages of those that belong to none.
export function showFaults(faults) {
  clearFaults();
  const lines = [...document.querySelectorAll(".fault[data-field]")];
  const elsewhere = new Set();
  for (const { field, kind, message } of faults) {
    const text = FAULTS[kind] ?? message;
    const line = lines.find((each) => belongs(field, each.dataset.field));
    if (line) line.textContent = text;
    else elsewhere.add(text);
  }
  return [...elsewhere];
}

export function clearFaults() {
  for (const line of document.querySelectorAll(".fault[data-field]")) line.textContent = "";
}

function belongs(field, own) {
  return field === own || field.startsWith(`${own}.`) || field.startsWith(`${own}[`);
}
