// The list of blocks: each a card that opens to its settings, and can be moved, copied, removed.

import { button, element } from "../annotate/dom.js";
import { inputFor, newId } from "./inputs.js";
import "./conditions.js";

const SHORT = 90;
const EDGE = 60;

// A block: `mapping` is what the protocol holds.
class Card {
  #inputs = [];
  #list;

  constructor(list, mapping, { open = false, fresh = false } = {}) {
    this.#list = list;
    this.mapping = mapping;
    this.type = list.types.get(mapping.type) ?? unknownType(mapping.type);
    this.isOpen = open;
    // A block that was just added is not blamed for what nobody could fill in yet.
    this.fresh = fresh;
    this.possible = [];
    this.#build();
  }

  get path() {
    return `blocks[${this.#list.cards.indexOf(this)}]`;
  }

  get name() {
    const { type, what, question, text, name } = this.mapping;
    const start = this.type.starts.find((each) => what !== undefined && each.block.what === what);
    return start?.title ?? (question || text || name || this.type.title || type);
  }

  #build() {
    const id = newId();
    this.body = element("div", { class: "block-body", id, hidden: !this.isOpen });
    this.head = element("button", {
      type: "button", class: "block-head", on: { click: () => this.toggle() },
      "aria-expanded": String(this.isOpen), "aria-controls": id,
    });
    const { editable } = this.#list;
    this.node = element("li", { class: "block card" },
      element("div", { class: "block-bar" },
        editable ? this.#handle() : null,
        element("h3", {}, this.head),
        editable ? element("div", { class: "tools" }, this.#tools()) : null),
      this.body);
    this.node.addEventListener("focusin", () => this.#list.reveal(this.mapping));
    this.node.addEventListener("focusout", ({ relatedTarget }) => {
      if (!this.fresh || relatedTarget === null || this.node.contains(relatedTarget)) return;
      this.fresh = false;
      this.#list.changed();
    });
    if (this.isOpen) this.#fill();
    this.label();
  }

  #handle() {
    const handle = element("span", {
      class: "handle", "aria-hidden": "true", title: "Drag to move",
    }, "⠿");
    handle.addEventListener("pointerdown", (event) => this.#list.drag(this, event));
    return handle;
  }

  #tools() {
    const tool = (title, text, act) => button(text, act, { class: "small quiet tool", title });
    this.up = tool("Move up", "↑", () => this.#list.move(this, -1, "up"));
    this.down = tool("Move down", "↓", () => this.#list.move(this, 1, "down"));
    this.copy = tool("Copy", "Copy", () => this.#list.copy(this));
    this.remove = tool("Remove", "×", () => this.#list.remove(this));
    return [this.up, this.down, this.copy, this.remove];
  }

  #fill() {
    this.#inputs = this.type.settings.map((setting) => inputFor(setting, {
      values: this.mapping, path: "", changed: () => this.#list.changed(), block: this,
    }));
    const nodes = this.#inputs.map(({ node }) => node);
    const fields = element("fieldset", { class: "block-fields", disabled: !this.#list.editable },
      element("legend", { class: "visually-hidden" }, "Settings"), nodes);
    this.body.replaceChildren(element("p", { class: "hint" }, capital(this.type.about)),
      element("ul", { class: "errorlist general", hidden: true }), fields);
  }

  toggle(open = !this.isOpen) {
    this.isOpen = open;
    if (open && !this.body.hasChildNodes()) {
      this.#fill();
      this.#list.showFaults();
    }
    this.body.hidden = !open;
    this.head.setAttribute("aria-expanded", String(open));
  }

  // What the card says when it is closed.
  label() {
    const number = this.#list.cards.indexOf(this) + 1;
    const { required, when, expected } = this.mapping;
    const badges = [
      required === false ? "optional" : null,
      when ? `after ${when.question}` : null,
      (expected ?? null) !== null ? "attention check" : null,
    ].filter(Boolean);
    const name = shortened(this.name);
    this.head.replaceChildren(
      element("span", { class: "block-number" }, `${number}.`),
      element("span", { class: "block-name" },
        element("span", { dir: "auto" }, name),
        element("span", { class: "block-type" }, this.type.title,
          badges.map((each) => element("span", { class: "badge" }, each)))));
    if (!this.#list.editable) return;
    const last = this.#list.cards.length;
    const title = `block ${number}, ${name}`;
    this.up.disabled = number === 1;
    this.down.disabled = number === last;
    for (const [each, verb] of [[this.up, "Move up"], [this.down, "Move down"],
      [this.copy, "Copy"], [this.remove, "Remove"]]) {
      each.setAttribute("aria-label", `${verb}: ${title}`);
    }
  }

  // The questions before this one whose answers have values, for a condition.
  earlier() {
    const { cards } = this.#list;
    return cards.slice(0, cards.indexOf(this))
      .filter(({ possible, mapping }) => possible.length && mapping.name)
      .map(({ possible, mapping }) => ({
        name: mapping.name, question: shortened(mapping.question ?? ""), values: possible,
      }));
  }

  values() {
    return this.possible;
  }

  refresh() {
    for (const { refresh } of this.#inputs) refresh?.();
  }
}

export class BlockList {
  constructor({ types, editable, changed, announce, showFaults, reveal }) {
    this.types = new Map(types.map((each) => [each.type, each]));
    Object.assign(this, { editable, announce, showFaults, reveal, cards: [], removed: [] });
    this.changed = () => {
      this.label();
      changed();
    };
    this.node = element("ol", { class: "blocks", "aria-label": "Blocks" });
    this.undo = element("div", { class: "notice undo", hidden: true });
  }

  set(mappings) {
    this.cards = mappings.map((mapping) => new Card(this, mapping));
    this.removed = [];
    this.undo.hidden = true;
    this.node.replaceChildren(...this.cards.map(({ node }) => node));
    this.label();
  }

  get mappings() {
    return this.cards.map(({ mapping }) => mapping);
  }

  label() {
    for (const card of this.cards) card.label();
  }

  // What the server says about each block's values.
  setValues(values) {
    for (const [index, card] of this.cards.entries()) card.possible = values[index] ?? [];
    for (const card of this.cards) card.refresh();
  }

  add(start) {
    const mapping = structuredClone(start);
    if ("name" in mapping) mapping.name = this.#freeName(mapping.type.replace("-", ""), 1);
    const card = new Card(this, mapping, { open: true, fresh: true });
    this.#insert(this.cards.length, card);
    this.announce(`Added as block ${this.cards.length}.`);
    (card.body.querySelector("input, textarea, select") ?? card.head).focus();
  }

  copy(card) {
    const mapping = structuredClone(card.mapping);
    if (mapping.name) mapping.name = this.#freeName(mapping.name.replace(/-?\d+$/, ""), 2);
    const copy = new Card(this, mapping, { open: card.isOpen });
    this.#insert(this.cards.indexOf(card) + 1, copy);
    this.announce(`Copied to block ${this.cards.indexOf(copy) + 1}.`);
    copy.head.focus();
  }

  remove(card) {
    const index = this.cards.indexOf(card);
    this.cards.splice(index, 1);
    card.node.remove();
    this.removed.push({ card, index });
    this.#offerUndo();
    this.changed();
    this.undo.querySelector("button").focus();
  }

  move(card, by, tool) {
    const index = this.cards.indexOf(card);
    const to = index + by;
    if (to < 0 || to >= this.cards.length) return;
    this.cards.splice(index, 1);
    this.cards.splice(to, 0, card);
    this.node.insertBefore(card.node, this.node.children[by < 0 ? to : to + 1] ?? null);
    this.changed();
    const wanted = card[tool];
    (wanted.disabled ? [card.up, card.down].find((each) => !each.disabled) : wanted)?.focus();
    this.announce(`Moved to ${to + 1} of ${this.cards.length}.`);
  }

  // Moves a card with the pointer until it is let go; the list shows where it would be.
  drag(card, event) {
    if (event.button !== 0) return;
    event.preventDefault();
    card.node.classList.add("is-dragged");
    // Open cards are closed meanwhile, so that the list is short; the card stays under the pointer.
    this.node.classList.add("is-sorting");
    window.scrollBy(0, card.node.getBoundingClientRect().top - event.clientY);
    const onMove = ({ clientY }) => {
      if (clientY < EDGE) window.scrollBy(0, -EDGE / 4);
      else if (clientY > window.innerHeight - EDGE) window.scrollBy(0, EDGE / 4);
      const others = [...this.node.children].filter((each) => each !== card.node);
      const after = others.find((each) => {
        const { top, height } = each.getBoundingClientRect();
        return clientY < top + height / 2;
      });
      if (after !== card.node.nextElementSibling) this.node.insertBefore(card.node, after ?? null);
    };
    const onEnd = () => {
      window.removeEventListener("pointermove", onMove);
      window.removeEventListener("pointerup", onEnd);
      window.removeEventListener("pointercancel", onEnd);
      card.node.classList.remove("is-dragged");
      this.node.classList.remove("is-sorting");
      const order = [...this.node.children];
      this.cards.sort((a, b) => order.indexOf(a.node) - order.indexOf(b.node));
      this.changed();
    };
    window.addEventListener("pointermove", onMove);
    window.addEventListener("pointerup", onEnd);
    window.addEventListener("pointercancel", onEnd);
  }

  #insert(index, card) {
    this.cards.splice(index, 0, card);
    this.node.insertBefore(card.node, this.node.children[index] ?? null);
    this.changed();
  }

  #offerUndo() {
    const last = this.removed.at(-1);
    this.undo.hidden = last === undefined;
    if (last === undefined) return;
    this.undo.replaceChildren(
      element("p", {}, "Removed: ", element("bdi", { dir: "auto" }, shortened(last.card.name))),
      button("Undo", () => {
        const { card, index } = this.removed.pop();
        this.#insert(Math.min(index, this.cards.length), card);
        this.#offerUndo();
        this.announce(`Put back as block ${this.cards.indexOf(card) + 1}.`);
        card.head.focus();
      }, { class: "small" }));
  }

  #freeName(stem, first) {
    const taken = new Set(this.cards.map(({ mapping }) => mapping.name));
    let number = first;
    while (taken.has(`${stem}${number}`)) number += 1;
    return `${stem}${number}`;
  }
}

// A type that this platform does not have, such as that of a plugin of another one.
function unknownType(type) {
  const about = "a type of block that is unknown here";
  return { type, title: String(type), about, settings: [], starts: [] };
}

function shortened(text) {
  const line = String(text).replace(/\s+/g, " ").trim();
  return line.length > SHORT ? `${line.slice(0, SHORT)}…` : line;
}

function capital(text) {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
