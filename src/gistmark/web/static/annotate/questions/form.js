// A form: questions of several types about one item, in the order of the task's `blocks`.
//
// Each type of question is a module of ./form with its name, which exports one function.
// `control(context)` returns
//
//   node                what the annotator answers with
//   target              the id of the control that gets the focus
//   missing(value)      what an answer still lacks, as a sentence; null where nothing. May be left
//                       out, where every answer is whole
//   onKey(event)        for keys that are pressed on the screen, but on no control; true where the
//                       key was for this question. May be left out
//
// and `context` has `block`, `item`, `task`, `id` (for its controls), `labelledBy`, `field` (the
// answer's, for `faultLine`), `value` (the answer so far, or null), `set(value)`, which takes null
// for no answer, `move(value)` for the log, and `announce(text)`. `selected(block, value)`, which a
// module may export too, gives the values that conditions of other questions can name.

import { element } from "../dom.js";
import { faultLine } from "../feedback.js";
import {
  columns, documentOf, guidance, passage, pinned, referencesOf, titleOf,
} from "../material.js";
import { gettext, interpolate } from "../translation.js";

const NOUNS = {
  document: gettext("Document"), summary: gettext("Summary"), pair: gettext("Pair"),
  set: gettext("Set"),
};

// What stands in a column of its own where there is space for one.
const BESIDE = ["title", "document", "heat-map", "reference"];

export async function question(task) {
  const asked = task.blocks.filter(({ name }) => name !== undefined);
  const types = new Map(await Promise.all([...new Set(asked.map(({ type }) => type))]
    .map(async (type) => [type, await import(`./form/${type}.js`)])));
  const forms = new Map();
  return {
    heading: gettext("Answer the questions"),
    noun: NOUNS[task.subject],
    build: ({ item }, page) => {
      const form = new Form({ task, item, types, page });
      forms.set(item.key, form);
      return form.node;
    },
    missing: ({ item }) => forms.get(item.key)?.missing() ?? [],
    prefill: (draft) => withStarts(task, draft),
  };
}

class Form {
  #types;
  #answer;
  #key;
  #given;
  #questions;

  constructor({ task, item, types, page }) {
    this.#types = types;
    this.#answer = page.answer;
    this.#key = item.key;
    this.#given = { ...page.answer.part(item.key, "answers") };
    this.#questions = new Map();
    const blocks = ordered(task.blocks, item);
    const parts = blocks.map((block) => ({
      block, node: block.name === undefined
        ? shown(block, item, page.answer) : this.#ask(block, task, item, page),
    }));
    const beside = parts.filter(({ block }) => BESIDE.includes(block.what));
    const rest = parts.filter(({ block }) => !BESIDE.includes(block.what));
    const nodes = (some) => some.flatMap(({ node }) => node);
    this.node = beside.length === 0
      ? element("div", { class: "single form" }, nodes(rest))
      : columns(nodes(beside), [element("div", { class: "form" }, nodes(rest))], "right");
    page.onKey?.((event) => this.#onKey(event));
    this.#refresh();
  }

  // What is still to answer: [{target, text}].
  missing() {
    return [...this.#questions.values()].flatMap(({ block, control }) => {
      if (!this.#isAsked(block)) return [];
      const value = this.#given[block.name] ?? null;
      if (value === null) {
        return block.required ? [{ target: control.target, text: block.question }] : [];
      }
      const lack = control.missing?.(value) ?? null;
      return lack === null ? [] : [{
        target: control.target,
        text: interpolate(gettext("%(where)s: %(what)s"), { where: block.question, what: lack }),
      }];
    });
  }

  #ask(block, task, item, { answer, announce }) {
    const id = `form-${item.key}-${task.blocks.indexOf(block)}`;
    const field = `items.${item.key}.answers.${block.name}`;
    const control = this.#types.get(block.type).control({
      block, item, task, id, labelledBy: `${id}-legend`, field, announce,
      value: this.#given[block.name] ?? null,
      set: (value) => this.#set(block, value),
      move: (value) => answer.move(item.key, block.name, value),
    });
    const node = element("fieldset", { class: `dimension form-question form-${block.type}` },
      element("legend", { id: `${id}-legend` },
        element("span", { dir: "auto" }, block.question),
        block.required ? null : element("span", { class: "hint" }, ` ${gettext("(optional)")}`)),
      guidance(block), control.node, faultLine(field));
    this.#questions.set(block.name, { block, control, node });
    return node;
  }

  #set(block, value) {
    if (value === null) delete this.#given[block.name];
    else this.#given[block.name] = value;
    this.#refresh();
    const asked = [...this.#questions.values()].filter((each) => this.#isAsked(each.block))
      .map((each) => each.block.name).filter((name) => name in this.#given);
    this.#answer.setPart(this.#key, "answers",
      Object.fromEntries(asked.map((name) => [name, this.#given[name]])));
  }

  #refresh() {
    for (const { block, node } of this.#questions.values()) node.hidden = !this.#isAsked(block);
  }

  #isAsked({ when }) {
    if (when === null) return true;
    const other = this.#questions.get(when.question)?.block;
    if (other === undefined || !this.#isAsked(other)) return false;
    const value = this.#given[other.name] ?? null;
    const { selected } = this.#types.get(other.type);
    if (value === null || selected === undefined) return false;
    return selected(other, value).some((each) => when.values.includes(each));
  }

  #onKey(event) {
    const open = [...this.#questions.values()].filter(({ block }) => this.#isAsked(block));
    const unanswered = open.filter(({ block }) => (this.#given[block.name] ?? null) === null);
    for (const { control } of [...unanswered, ...open]) {
      if (control.onKey?.(event)) return;
    }
  }
}

// The blocks in the order of this item, where the questions are shuffled.
function ordered(blocks, { order }) {
  return order === undefined ? blocks : order.map((index) => blocks[index]);
}

function shown(block, item, answer) {
  if (block.type === "note") return element("p", { class: "note", dir: "auto" }, block.text);
  const { lang } = item;
  const texts = {
    title: () => titleOf(item),
    document: () => documentOf(item, answer),
    "heat-map": () => documentOf(item, answer),
    reference: () => referencesOf(item),
    summary: () => pinned(passage(gettext("Summary"), item.summary, { lang })),
    pair: () => element("div", { class: "pair" },
      passage(gettext("Left"), item.left, { lang }), passage(gettext("Right"), item.right, { lang })),
    summaries: () => element("div", { class: "summaries" }, item.summaries.map((text, index) => (
      passage(interpolate(gettext("%(noun)s %(number)s"), {
        noun: gettext("Summary"), number: index + 1,
      }), text, { lang })))),
  };
  return texts[block.what]();
}

// A draft in which every slider that starts somewhere has that value unless it was moved.
function withStarts(task, draft) {
  const starts = task.blocks.filter(({ type, scale }) => type === "slider" && scale.start !== null)
    .map(({ name, scale }) => [name, { value: scale.start }]);
  if (!starts.length) return draft;
  const filled = structuredClone(draft);
  filled.items ??= {};
  for (const { key } of task.items) {
    const answers = { ...Object.fromEntries(starts), ...filled.items[key]?.answers };
    filled.items[key] = { ...filled.items[key], answers };
  }
  return filled;
}
