// Writing content units: what the references of a document say, one fact each.

import { button, element, keycap } from "../dom.js";
import { faultLine } from "../feedback.js";
import { documentOf, referencesOf, titleOf } from "../material.js";
import { gettext, interpolate, ngettext, pieces } from "../translation.js";
import { UnitEditor } from "./units/editor.js";
import { Notebook } from "./units/notebook.js";

const PART = "units";

export function question(task) {
  const writers = new Map();
  return {
    heading: gettext("Write the content units"),
    noun: gettext("Document"),
    build: ({ item }, page) => {
      const writer = new Writer(task, item, page);
      writers.set(item.key, writer);
      return writer.node;
    },
    missing: ({ item }) => writers.get(item.key)?.missing() ?? [],
  };
}

class Writer {
  constructor(task, item, { answer, announce }) {
    this.item = item;
    this.answer = answer;
    this.announce = announce;
    const { references } = item;
    this.notebook = new Notebook(references.length, answer.part(item.key, PART) ?? []);
    const limits = { longest: task.longest_unit, most: task.most_units };
    this.editors = references.map((_, list) => new UnitEditor({
      notebook: this.notebook, list, limits, lang: item.lang, id: `unit-${item.key}-${list}`,
      labelledBy: `units-${item.key}-${list}`, changed: (sentence) => this.#changed(sentence),
    }));
    this.undo = button(gettext("Undo"), () => this.#travel("undo"), { class: "small" });
    this.redo = button(gettext("Redo"), () => this.#travel("redo"), { class: "small" });
    this.count = element("p", { class: "unit-count" });
    this.node = this.#build();
    this.node.addEventListener("keydown", (event) => this.#onKey(event));
    this.#refresh();
  }

  // What is still to do: [{target, text}].
  missing() {
    return this.editors.flatMap((editor, list) => {
      if (!editor.texts.some((text) => text.trim())) {
        return [{ target: editor.firstId, text: this.#emptySentence(list) }];
      }
      return editor.repeated.map((target) => ({
        target, text: gettext("Two content units say the same. Change or delete one of them."),
      }));
    });
  }

  #emptySentence(list) {
    if (this.editors.length === 1) return gettext("Write at least one content unit.");
    return interpolate(gettext("Write at least one content unit of reference %(number)s."), {
      number: list + 1,
    });
  }

  #build() {
    const { item } = this;
    const references = referencesOf(item);
    const document = documentOf(item, this.answer);
    return element("div", { class: "unit-writing" },
      titleOf(item), document,
      element("div", { class: "unit-bar" }, this.count, this.undo, this.redo),
      references.map((reference, list) => element("div", { class: "columns" },
        element("div", { class: "column sticky" }, reference),
        element("div", { class: "column" },
          element("h3", { id: `units-${item.key}-${list}` }, references.length === 1
            ? gettext("Content units") : interpolate(
              gettext("Content units of reference %(number)s"), { number: list + 1 })),
          this.editors[list].node))),
      faultLine(`items.${item.key}.${PART}`),
      element("p", { class: "hint keys" }, pieces(
        gettext("%(enter)s begins a new unit, or splits one at the cursor; %(backspace)s at the " +
          "start of a unit joins it to the one above; %(alt)s %(up)s %(down)s move it; " +
          "%(control)s %(z)s undoes."), {
          enter: keycap(gettext("Enter")), backspace: keycap("⌫"), alt: keycap("Alt"),
          up: keycap("↑"), down: keycap("↓"), control: keycap(gettext("Ctrl")), z: keycap("Z"),
        })));
  }

  #changed(sentence) {
    this.answer.setPart(this.item.key, PART, this.notebook.toMapping());
    if (sentence) this.announce(sentence);
    this.#refresh();
  }

  #refresh() {
    const count = this.notebook.toMapping().length;
    this.count.textContent = ngettext("%(count)s unit", "%(count)s units", count);
    // A button that is really disabled would lose the focus of whoever has just pressed it.
    this.undo.setAttribute("aria-disabled", String(!this.notebook.canUndo));
    this.redo.setAttribute("aria-disabled", String(!this.notebook.canRedo));
  }

  #travel(direction) {
    const before = structuredClone(this.notebook.lists);
    if (!this.notebook[direction]()) return;
    const list = this.notebook.lists.findIndex((texts, each) => (
      JSON.stringify(texts) !== JSON.stringify(before[each])));
    const inside = this.node.contains(document.activeElement)
      && document.activeElement.matches("textarea");
    for (const [each, editor] of this.editors.entries()) {
      editor.render(inside && each === list ? firstDifference(before[list], editor.texts) : null);
    }
    this.#changed(direction === "undo" ? gettext("Undone.") : gettext("Redone."));
  }

  #onKey(event) {
    const { key, ctrlKey, metaKey, shiftKey } = event;
    const letter = key.toLowerCase();
    if (!(ctrlKey || metaKey) || !["z", "y"].includes(letter)) return;
    event.preventDefault();
    this.#travel(letter === "y" || shiftKey ? "redo" : "undo");
  }
}

function firstDifference(one, other) {
  const index = other.findIndex((text, each) => text !== one[each]);
  return index < 0 ? other.length - 1 : index;
}
