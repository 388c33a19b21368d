// The list of content units of one reference: a field for each, to write, split, move and delete.

import { button, element } from "../../dom.js";
import { formatNumber, gettext, interpolate, ngettext } from "../../translation.js";
import { adviceOn } from "./advice.js";
import { halves } from "./notebook.js";

export class UnitEditor {
  #rows = [];

  // `changed(sentence)` is called after every change; a sentence says what was done to the list.
  constructor({ notebook, list, id, labelledBy, lang, limits, changed }) {
    Object.assign(this, { notebook, list, id, lang, limits, changed });
    this.items = element("ol", { class: "units", "aria-labelledby": labelledBy });
    this.add = button(gettext("Add a unit"), () => this.#append());
    this.node = element("div", { class: "unit-list" }, this.items, this.add);
    this.render();
  }

  get texts() {
    return this.notebook.lists[this.list];
  }

  // The ids of the fields of units that say the same as an earlier one.
  get repeated() {
    return adviceOn(this.texts, this.lang)
      .flatMap(({ same }, index) => (same ? [this.#fieldId(index)] : []));
  }

  get firstId() {
    return this.#fieldId(0);
  }

  // Builds the list anew; `focus` is the unit to go on with, and `cursor` where in it.
  render(focus = null, cursor = null) {
    this.#rows = this.texts.map((_, index) => this.#row(index));
    this.items.replaceChildren(...this.#rows.map(({ node }) => node));
    this.add.disabled = this.texts.length >= this.limits.most;
    this.#advise(focus);
    if (focus === null) return;
    const { field } = this.#rows[Math.max(0, Math.min(focus, this.#rows.length - 1))];
    field.focus();
    const at = cursor ?? field.value.length;
    field.setSelectionRange(at, at);
  }

  #fieldId(index) {
    return `${this.id}-${index}`;
  }

  #row(index) {
    const text = this.texts[index];
    const number = formatNumber(index + 1);
    const advice = element("p", { class: "unit-advice", id: `${this.#fieldId(index)}-advice` });
    const grow = element("div", { class: "grow", "data-value": text, lang: this.lang, dir: "auto" });
    const field = element("textarea", {
      id: this.#fieldId(index), rows: 1, maxlength: this.limits.longest, dir: "auto",
      lang: this.lang, enterkeyhint: "next",
      "aria-label": interpolate(gettext("Unit %(number)s"), { number }),
      "aria-describedby": advice.id,
      on: {
        input: () => this.#type(index, field, grow),
        keydown: (event) => this.#onKey(event, index, field),
        focus: () => this.#advise(index),
        blur: () => this.#advise(),
      },
    });
    field.value = text;
    grow.append(field);
    const tools = element("div", { class: "unit-tools" },
      this.#tool("↑", gettext("Move unit %(number)s up"), index, () => this.#move(index, -1)),
      this.#tool("↓", gettext("Move unit %(number)s down"), index, () => this.#move(index, 1)),
      this.#tool("÷", gettext("Split unit %(number)s in two"), index,
        () => this.#split(index, field.selectionStart)),
      this.#tool("×", gettext("Delete unit %(number)s"), index, () => this.#remove(index)));
    const node = element("li", { class: "unit" },
      element("span", { class: "unit-number", "aria-hidden": "true" }, number), grow, tools, advice);
    return { node, field, advice };
  }

  // The second click of a double click would be on another unit: the list has changed by then.
  #tool(sign, sentence, index, act) {
    const name = interpolate(sentence, { number: index + 1 });
    return button(sign, (event) => { if (event.detail < 2) act(); }, {
      class: "quiet small", "aria-label": name, title: name,
    });
  }

  #type(index, field, grow) {
    // What is inserted in several steps may still reach a field that the list has no more.
    if (!field.isConnected) return;
    const lines = field.value.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
    if (field.value.includes("\n")) {
      this.#paste(index, lines);
      return;
    }
    grow.dataset.value = field.value;
    this.notebook.write(this.list, index, field.value);
    this.#advise(index);
    this.changed("");
  }

  // Several lines that were pasted are a unit each.
  #paste(index, lines) {
    const space = this.limits.most - this.texts.length + 1;
    const texts = lines.slice(0, space).map((line) => line.slice(0, this.limits.longest));
    this.notebook.replace(this.list, index, texts);
    this.render(index + texts.length - 1);
    this.changed(ngettext("%(count)s unit", "%(count)s units", this.texts.length));
  }

  #append() {
    const last = this.texts.length - 1;
    if (this.texts[last].trim()) this.#insert(last);
    else this.#rows[last].field.focus();
  }

  #insert(index) {
    if (this.texts.length >= this.limits.most) return;
    this.notebook.insert(this.list, index, [""]);
    this.render(index + 1);
    this.changed(interpolate(gettext("Unit %(number)s is new."), { number: index + 2 }));
  }

  #split(index, cursor) {
    const both = halves(this.texts[index], cursor);
    if (both.length < 2 || this.texts.length >= this.limits.most) return;
    this.notebook.replace(this.list, index, both);
    this.render(index + 1, 0);
    this.changed(interpolate(gettext("Unit %(number)s is split."), { number: index + 1 }));
  }

  #remove(index) {
    this.notebook.remove(this.list, index);
    this.render(Math.min(index, this.texts.length - 1));
    this.changed(interpolate(gettext("Unit %(number)s is deleted."), { number: index + 1 }));
  }

  #join(index) {
    const cursor = this.texts[index - 1].trim().length;
    this.notebook.join(this.list, index);
    this.render(index - 1, cursor);
    this.changed(interpolate(gettext("Units %(first)s and %(second)s are merged."), {
      first: index, second: index + 1,
    }));
  }

  #move(index, by) {
    const to = index + by;
    if (to < 0 || to >= this.texts.length) return;
    this.notebook.move(this.list, index, by);
    this.render(to);
    this.changed(interpolate(gettext("Unit %(number)s is number %(to)s now."), {
      number: index + 1, to: to + 1,
    }));
  }

  #onKey(event, index, field) {
    // Enter also ends what an input method has composed.
    if (event.isComposing || event.ctrlKey || event.metaKey) return;
    const action = this.#actionOf(event, index, field);
    if (action === null) return;
    event.preventDefault();
    action();
  }

  #actionOf({ key, altKey }, index, field) {
    const { selectionStart: start, selectionEnd: end, value } = field;
    const collapsed = start === end;
    if (altKey) {
      const by = { ArrowUp: -1, ArrowDown: 1 }[key];
      return by ? () => this.#move(index, by) : null;
    }
    if (key === "Enter") {
      const inside = collapsed && value.slice(0, start).trim() && value.slice(end).trim();
      return inside ? () => this.#split(index, start) : () => this.#onEnter(index);
    }
    if (key === "Backspace" && collapsed && start === 0 && index > 0) return () => this.#join(index);
    if (key === "Delete" && !value && this.texts.length > 1) return () => this.#remove(index);
    if (key === "ArrowUp" && collapsed && start === 0 && index > 0) {
      return () => this.#rows[index - 1].field.focus();
    }
    if (key === "ArrowDown" && collapsed && end === value.length && index < this.texts.length - 1) {
      return () => this.#rows[index + 1].field.focus();
    }
    return null;
  }

  // A unit below; where there is an empty one already, that.
  #onEnter(index) {
    if (!this.texts[index].trim()) return;
    if (this.texts[index + 1] !== undefined && !this.texts[index + 1].trim()) {
      this.#rows[index + 1].field.focus();
    } else this.#insert(index);
  }

  // Says what there is to say about each unit, but not about one that is being written.
  #advise(writing = null) {
    for (const [index, { text, same }] of adviceOn(this.texts, this.lang).entries()) {
      const { advice, field } = this.#rows[index];
      const shown = index === writing && !same ? "" : text;
      if (advice.textContent !== shown) advice.textContent = shown;
      advice.classList.toggle("is-same", same);
      field.setAttribute("aria-invalid", String(same));
    }
  }
}
