// What is wrong with a design: beside each field, and as a list on top that leads there.

import { button, element } from "../annotate/dom.js";

const CHECK = /^checks\.(\w+)$/;
const BLOCK = /^blocks\[(\d+)\]\.?(.*)$/;

export class Problems {
  #blocks;
  #settings;
  #turnOff;

  // `turnOff(name)` turns a check off that the design cannot have any more.
  constructor({ blocks, settings, turnOff }) {
    this.#blocks = blocks;
    this.#settings = settings;
    this.#turnOff = turnOff;
    this.node = element("div", { class: "problems", tabindex: "-1", hidden: true });
    this.faults = [];
  }

  // Those that are shown: all but what a block that was just added still lacks.
  get shown() {
    return this.faults.filter(({ field }) => {
      const [, number] = BLOCK.exec(field) ?? [];
      return number === undefined || !this.#blocks.cards[Number(number)]?.fresh;
    });
  }

  show(faults = this.faults) {
    const number = ({ field }) => Number(BLOCK.exec(field)?.[1] ?? -1);
    this.faults = faults.toSorted((a, b) => number(a) - number(b));
    this.#clear();
    const lines = this.shown.map((fault) => this.#place(fault));
    this.node.hidden = lines.length === 0;
    this.node.className = "problems notice is-bad";
    this.node.replaceChildren(
      element("h2", {}, lines.length === 1 ? "One problem" : `${lines.length} problems`),
      element("ul", {}, lines));
    for (const [index, card] of this.#blocks.cards.entries()) {
      const wrong = this.shown.some(({ field }) => BLOCK.exec(field)?.[1] === String(index));
      card.node.classList.toggle("is-wrong", wrong);
    }
  }

  // Puts a fault beside its field; returns the line of the list.
  #place(fault) {
    const [, check] = CHECK.exec(fault.field) ?? [];
    if (check !== undefined) {
      return element("li", {}, `${fault.message} `,
        button("Turn this check off", () => this.#turnOff(check), { class: "link" }));
    }
    const [, number, inner] = BLOCK.exec(fault.field) ?? [];
    const card = number === undefined ? null : this.#blocks.cards[Number(number)];
    const area = card ? card.body : this.#settings;
    const target = fieldOf(area, card ? inner : fault.field);
    const label = target?.dataset.label ?? null;
    const sentence = worded(fault, label);
    if (target) mark(target, sentence);
    else if (card?.body.hasChildNodes()) addLine(card.body.querySelector(".general"), sentence);
    const where = card ? `Block ${Number(number) + 1}: ` : "";
    return element("li", {}, button(`${where}${sentence}`, () => {
      if (card) {
        card.toggle(true);
        focusOn(fieldOf(card.body, inner) ?? card.node);
      } else {
        if (target) target.closest("details")?.setAttribute("open", "");
        focusOn(target ?? this.#settings);
      }
    }, { class: "link" }));
  }

  #clear() {
    for (const area of [...this.#blocks.cards.map(({ body }) => body), this.#settings]) {
      for (const list of area.querySelectorAll(".errorlist")) {
        list.replaceChildren();
        list.hidden = true;
      }
      for (const each of area.querySelectorAll(".is-wrong")) each.classList.remove("is-wrong");
      for (const each of area.querySelectorAll("[aria-invalid]")) {
        each.removeAttribute("aria-invalid");
      }
    }
  }
}

// The field of a path, or the nearest one that contains it: `scale.labels` for `scale.labels[2]`.
function fieldOf(area, path) {
  for (let part = path; part; part = part.replace(/(\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, "")) {
    const field = area.querySelector(`[data-path="${CSS.escape(part)}"]`);
    if (field) return field;
  }
  return null;
}

// The sentence with the label of the page in place of the field's name in JSON.
function worded({ field, message }, label) {
  const start = `The field '${field}'`;
  return label && message.startsWith(start) ? `“${label}”${message.slice(start.length)}` : message;
}

function mark(field, sentence) {
  field.classList.add("is-wrong");
  const list = field.querySelector(":scope > .errorlist");
  addLine(list, sentence);
  const control = field.querySelector("input, textarea, select");
  control?.setAttribute("aria-invalid", "true");
}

function addLine(list, sentence) {
  list.append(element("li", {}, sentence));
  list.hidden = false;
}

function focusOn(node) {
  const control = node.querySelector("input, textarea, select, button");
  (control ?? node).focus();
  node.scrollIntoView({ block: "center" });
}
