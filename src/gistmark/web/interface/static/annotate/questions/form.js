// A form: questions of several types about one item, in the order of the task's `blocks`.
//
// Each type of question is a module of ./form with its name, which exports one function.
// `control(context)` returns
//
//   node                what the annotator answers with
//   target              the id of the control that gets the focus
//   missing(value)      what an answer still lacks, as a sentence; null where nothing. May be left
//                       out, where every answer is whole
//   clears              true where the annotator takes an answer back with the control itself;
//                       else an optional question that is answered gets a button for it
//   onKey(event)        for keys that are pressed on the screen, but on no control; true where the
//                       key was for this question. May be left out
//
// and `context` has `block`, `item`, `task`, `id` (for its controls), `labelledBy`, `field` (the
// answer's, for `faultLine`), `value` (the answer so far, or null), `set(value)`, which takes null
// for no answer, `move(value)` for the log, `announce(text)`, and `goOn()`, which leads to the next
// screen. What is particular to this item is in `item.questions[block.name]`, where the type has
// something of the kind. `selected(block, value)`, which a module may export too, gives the values
// that conditions of other questions can name. A module that exports `holdsTexts` shows the summaries
// of a set in its control, unfolded where `unfolded` says so; the form does not show them again.
// Where answers are marks on texts, `marks(block)` names them ("summary", "document"), and `texts` of
// the context has a `WordText` of each that is shown.

import { button, element } from "../dom.js";
import { faultLine } from "../feedback.js";
import {
  columns, documentOf, guidance, markable, pairOf, passage, pinned, referencesOf, titleOf, wordText,
} from "../material.js";
import { gettext, interpolate } from "../translation.js";
import { WordText, shownSummary } from "../words.js";

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
  #announce;
  #key;
  #given;
  #questions;
  #holder;

  constructor({ task, item, types, page }) {
    this.#types = types;
    this.#answer = page.answer;
    this.#announce = page.announce ?? (() => {});
    this.#key = item.key;
    this.#given = {
      ...startsOf(task.blocks.filter(({ when = null }) => when !== null)),
      ...page.answer.part(item.key, "answers"),
    };
    this.#questions = new Map();
    const blocks = ordered(task.blocks, item);
    const texts = markedTexts(blocks, item, types);
    this.#holder = blocks.find(({ type, when }) => when === null && types.get(type)?.holdsTexts);
    const isHeld = ({ what }) => what === "summaries" && this.#holder !== undefined;
    const parts = blocks.filter((block) => !isHeld(block)).map((block) => ({
      block, node: block.name === undefined
        ? shown(block, item, page.answer, texts) : this.#ask(block, task, item, texts, page),
    }));
    this.node = layout(parts, task.subject);
    page.onKey?.((event) => this.#onKey(event));
    this.#refresh({ quietly: true });
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

  #ask(block, task, item, texts, { answer, goOn = () => {} }) {
    const id = `form-${item.key}-${task.blocks.indexOf(block)}`;
    const field = `items.${item.key}.answers.${block.name}`;
    const build = () => this.#types.get(block.type).control({
      block, item, task, id, labelledBy: `${id}-legend`, field, texts, goOn,
      announce: this.#announce,
      unfolded: block === this.#holder,
      value: this.#given[block.name] ?? null,
      set: (value) => this.#set(block, value),
      move: (value) => answer.move(item.key, block.name, value),
    });
    const control = build();
    const node = element("fieldset", { class: `dimension form-question form-${block.type}` },
      element("legend", { id: `${id}-legend` },
        element("span", { dir: "auto" }, block.question),
        block.required ? null : element("span", { class: "hint" }, " ", gettext("(optional)"))),
      guidance(block), control.node, faultLine(field));
    const question = { block, control, node, clear: null };
    if (!block.required && !control.clears) {
      question.clear = button(gettext("Take the answer back"), () => {
        this.#set(block, null);
        question.control.node.replaceWith((question.control = build()).node);
        document.getElementById(question.control.target)?.focus();
      }, { class: "quiet small clear" });
      node.append(question.clear);
    }
    this.#questions.set(block.name, question);
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

  // Shows the questions whose condition is met. Those who listen hear which ones are new.
  #refresh({ quietly = false } = {}) {
    const appeared = [];
    for (const { block, node, clear } of this.#questions.values()) {
      const asked = this.#isAsked(block);
      if (asked && node.hidden) appeared.push(block.question);
      node.hidden = !asked;
      if (clear !== null) clear.hidden = !(block.name in this.#given);
    }
    if (appeared.length && !quietly) {
      this.#announce(interpolate(gettext("New question: %(question)s"), {
        question: appeared.join(" "),
      }));
    }
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

// Texts beside what is judged have a column of their own, but where summaries stand side by side
// already; these need the whole width.
function layout(parts, subject) {
  const isBeside = ({ block }) => BESIDE.includes(block.what);
  const beside = parts.filter(isBeside).flatMap(({ node }) => node);
  const rest = parts.filter((part) => !isBeside(part)).flatMap(({ node }) => node);
  if (subject === "pair") {
    return element("div", { class: "comparison form" },
      beside.length ? element("div", { class: "beside" }, beside) : null, rest);
  }
  if (!beside.length) return element("div", { class: "single form" }, rest);
  return columns(beside, [element("div", { class: "form" }, rest)], "right");
}

// The blocks in the order of this item, where the questions are shuffled.
function ordered(blocks, { order }) {
  return order === undefined ? blocks : order.map((index) => blocks[index]);
}

// The texts whose words are marked, as far as they are shown.
function markedTexts(blocks, item, types) {
  const marked = new Set(blocks.flatMap((block) => types.get(block.type)?.marks?.(block) ?? []));
  const texts = {};
  if (marked.has("summary") && item.summary_words) {
    const { text, words } = shownSummary(item);
    texts.summary = new WordText(text, words, { lang: item.lang });
  }
  if (marked.has("document") && item.words) texts.document = wordText(item);
  return texts;
}

function shown(block, item, answer, marked) {
  if (block.type === "note") return element("p", { class: "note", dir: "auto" }, block.text);
  const { lang } = item;
  const texts = {
    title: () => titleOf(item),
    document: () => documentOf(item, answer, marked.document),
    "heat-map": () => documentOf(item, answer, marked.document),
    reference: () => referencesOf(item),
    summary: () => pinned(passage(gettext("Summary"),
      marked.summary ? markable(marked.summary) : item.summary, { lang })),
    pair: () => pairOf(item),
    summaries: () => element("div", { class: "summaries" }, item.summaries.map((text, index) => (
      passage(interpolate(gettext("%(noun)s %(number)s"), {
        noun: gettext("Summary"), number: index + 1,
      }), text, { lang })))),
  };
  return texts[block.what]();
}

// Where sliders start that start somewhere.
function startsOf(blocks) {
  return Object.fromEntries(blocks
    .filter(({ type, scale }) => type === "slider" && scale.start !== null)
    .map(({ name, scale }) => [name, { value: scale.start }]));
}

// A draft in which every slider that starts somewhere has that value unless it was moved. What is
// asked on a condition has no value before it is.
function withStarts(task, draft) {
  const starts = startsOf(task.blocks.filter(({ when }) => when === null));
  if (!Object.keys(starts).length) return draft;
  const filled = structuredClone(draft);
  filled.items ??= {};
  for (const { key } of task.items) {
    const answers = { ...starts, ...filled.items[key]?.answers };
    filled.items[key] = { ...filled.items[key], answers };
  }
  return filled;
}
