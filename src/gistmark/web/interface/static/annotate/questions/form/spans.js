// Errors in a summary: words are marked, and of each error it is said what it is, how bad it is,
// and which words of the document show it. Or it is said that there are none.

import { button, element } from "../../dom.js";
import { markable } from "../../material.js";
import { gettext, interpolate } from "../../translation.js";
import { SelectionBar, wordsToMark } from "../highlight/bar.js";
import { waysToMark } from "../highlight/panels.js";
import { WordSelection } from "../highlight/selection.js";
import { editorOf } from "./spans/editor.js";
import { Errors } from "./spans/errors.js";
import { errorList } from "./spans/list.js";
import { Pointer } from "./spans/pointer.js";

const KEYS = gettext("Keyboard: %(left)s %(right)s %(up)s %(down)s move by words, with %(shift)s " +
  "they select; %(enter)s marks, %(delete)s removes.");

export function control(context) {
  const marking = new ErrorMarking(context);
  return {
    node: marking.node,
    get target() { return marking.target; },
    missing: () => marking.lack,
    clears: true,
  };
}

export function selected(block, { none }) {
  return [none ? "none" : "marked"];
}

export function marks({ source }) {
  return source ? ["summary", "document"] : ["summary"];
}

class ErrorMarking {
  #set;
  #announce;
  #pointer = null;
  #list;
  #missing;
  #none;

  constructor({ block, id, texts, value, set, announce }) {
    this.block = block;
    this.id = id;
    this.open = null;
    this.text = texts.summary;
    this.errors = new Errors(this.text, value);
    this.#set = set;
    this.#announce = announce;
    this.selection = new WordSelection(this.text);
    this.bar = this.#summaryBar();
    if (texts.document) this.#pointer = new Pointer(texts.document, this, announce);
    this.node = this.#build();
    this.#listen();
    this.#render();
  }

  // Where the page leads whoever has not answered yet: to the text, or to an error that lacks
  // something.
  get target() {
    const { inOrder, missing } = this.errors;
    const index = inOrder.findIndex((error) => this.errors.lacks(error, this.block));
    if (index >= 0) return `${this.id}-${index}`;
    return missing && this.errors.lacks(missing, this.block) ? `${this.id}-missing` : this.id;
  }

  get lack() {
    const error = this.errors.all.find((each) => this.errors.lacks(each, this.block));
    if (error === undefined) return null;
    if (error === this.errors.missing) return gettext("Choose a severity for what is missing.");
    const phrase = this.phraseOf(error);
    return this.errors.lacks(error, this.block) === "category"
      ? interpolate(gettext("Choose a category for “%(phrase)s”."), { phrase })
      : interpolate(gettext("Choose a severity for “%(phrase)s”."), { phrase });
  }

  phraseOf(error) {
    return this.text.phrase(this.errors.rangeOf(error));
  }

  sourcePhrase({ source }) {
    return source && this.#pointer ? this.#pointer.phraseOf(source) : null;
  }

  // What the editor of an error needs to point to the document; null where none is shown.
  sourceOf(error) {
    if (this.#pointer === null) return null;
    return {
      phrase: this.sourcePhrase(error),
      point: () => this.#pointer.start(error),
      unpoint: () => this.point(error, null),
    };
  }

  mark() {
    const { range } = this.selection;
    if (range === null || !this.#isAsked) return;
    if (this.errors.isFull) {
      this.bar.say(gettext("You have marked as many errors as can be marked here."));
      return;
    }
    const error = this.errors.add(range);
    this.selection.clear();
    this.#announce(interpolate(gettext("Marked: %(phrase)s."), { phrase: this.phraseOf(error) }));
    this.#openEditor(error);
    this.changed();
  }

  // Gives the open error the words that are selected.
  move() {
    if (!this.errors.move(this.open, this.selection.range)) {
      this.bar.say(gettext("These words are marked so already."));
      return;
    }
    this.selection.clear();
    this.#openEditor(this.open);
    this.changed();
  }

  remove(error) {
    const phrase = this.phraseOf(error);
    this.errors.remove(error);
    if (this.open === error) this.#opened(null);
    this.#render();
    this.changed();
    this.#announce(interpolate(gettext("Removed: %(phrase)s."), { phrase }));
    this.text.node.focus();
  }

  toggle(error) {
    if (this.open === error) this.close();
    else this.#openEditor(error);
  }

  close() {
    this.#opened(null);
    this.#render();
    this.text.node.focus();
  }

  // Lets an error point to a span of the document, or to none.
  point(error, source) {
    if (source === null) delete error.source;
    else error.source = source;
    this.#render();
    this.changed();
    const editor = this.#editorId(error);
    document.getElementById(`${editor}-source`)?.focus();
  }

  changed() {
    this.#set(this.errors.toValue());
    this.#paint();
    this.#none.checked = this.errors.none;
    this.#none.disabled = !this.errors.isEmpty;
  }

  #openEditor(error) {
    this.#opened(error);
    this.#render();
    const editor = document.getElementById(this.#editorId(error));
    const first = editor?.querySelector("input:checked") ?? editor?.querySelector("input:enabled");
    (first ?? editor?.querySelector("button, textarea"))?.focus();
  }

  #opened(error) {
    this.open = error;
    this.#pointer?.aim(error);
  }

  #editorId(error) {
    if (error === this.errors.missing) return `${this.id}-missing-editor`;
    return `${this.id}-${this.errors.inOrder.indexOf(error)}-editor`;
  }

  #build() {
    const { id, text } = this;
    for (const [name, value] of Object.entries({
      id, tabindex: "0", role: "group", "aria-label": gettext("Summary"),
      "aria-describedby": `${id}-ways`,
    })) text.node.setAttribute(name, value);
    markable(text).append(this.bar.node);
    this.#list = element("ol", { class: "phrases errors", "aria-label": gettext("Marked errors") });
    this.#missing = element("div", { class: "missing-content" });
    this.#none = element("input", {
      type: "checkbox", id: `${id}-none`, checked: this.errors.none,
      on: { change: () => this.#setNone() },
    });
    return element("div", { class: "error-spans" },
      meanings(this.block), this.#list,
      this.block.missing ? this.#missing : null,
      element("label", { class: "check" }, this.#none,
        element("span", {}, gettext("There are no errors in this summary."))),
      waysToMark(`${id}-ways`, KEYS));
  }

  #summaryBar() {
    const tools = {
      mark: button(gettext("Mark"), () => this.mark(), { class: "primary small" }),
      edit: button(gettext("Edit the error"), () => {
        const error = this.errors.at(this.selection.cursor);
        this.selection.clear();
        this.#openEditor(error);
      }, { class: "small" }),
      move: button(gettext("Move the open error here"), () => this.move(), { class: "small" }),
    };
    return Object.assign(new SelectionBar(this.text, this.selection, Object.values(tools)), { tools });
  }

  #listen() {
    this.selection.addEventListener("select", () => this.#onSelect());
    this.text.node.addEventListener("keydown", (event) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if (this.selection.range === null || ctrlKey || metaKey || altKey) return;
      const error = this.errors.at(this.selection.cursor);
      if (key === "Enter" || key === " ") this.mark();
      else if ((key === "Delete" || key === "Backspace") && error) this.remove(error);
      else return;
      event.preventDefault();
    });
  }

  #onSelect() {
    this.bar.say("");
    this.#paint();
    this.#refreshBar();
    const { range } = this.selection;
    if (range && document.activeElement === this.text.node) this.#announce(this.text.phrase(range));
  }

  #refreshBar() {
    if (!this.bar.show(this.#isAsked)) return;
    const { range, cursor } = this.selection;
    const { mark, edit, move } = this.bar.tools;
    mark.textContent = wordsToMark(range.last - range.first + 1);
    edit.hidden = range.first !== range.last || this.errors.at(cursor) === null;
    move.hidden = this.open === null || this.open === this.errors.missing;
    this.bar.position();
  }

  // Whether the question is on the screen, and not hidden by its condition.
  get #isAsked() {
    return this.node.closest("[hidden]") === null;
  }

  #render() {
    this.#list.replaceChildren(...errorList(this));
    this.#renderMissing();
    this.#none.disabled = !this.errors.isEmpty;
    this.#paint();
    this.#refreshBar();
  }

  #renderMissing() {
    const { missing } = this.errors;
    const id = `${this.id}-missing`;
    const box = element("input", {
      type: "checkbox", id, checked: missing !== null, on: { change: () => this.#setMissing() },
    });
    const editor = missing === null ? null : editorOf({
      block: this.block, error: missing, id: `${id}-editor`, changed: () => this.changed(),
      source: this.sourceOf(missing),
    });
    this.#missing.replaceChildren(element("label", { class: "check" }, box,
      element("span", {}, gettext("Something important is missing from the summary."))),
    ...(editor === null ? [] : [editor]));
  }

  #setMissing() {
    this.errors.setMissing(this.errors.missing === null);
    this.#opened(this.errors.missing);
    this.#render();
    this.changed();
    document.getElementById(`${this.id}-missing`).focus();
  }

  #setNone() {
    this.errors.none = this.#none.checked;
    this.changed();
  }

  #paint() {
    const { range, cursor } = this.selection;
    const chosen = (index) => range !== null && range.first <= index && index <= range.last;
    const layers = this.errors.list.map((error) => ({
      ...this.errors.rangeOf(error), isOpen: error === this.open, isHeavy: this.#isHeavy(error),
    }));
    const over = (index) => layers.filter(({ first, last }) => first <= index && index <= last);
    const across = (index) => layers.filter(({ first, last }) => first <= index && index < last);
    this.text.paint((index) => classesOf(over(index), {
      chosen: chosen(index), cursor: range !== null && index === cursor,
    }), (index) => classesOf(across(index), { chosen: chosen(index) && chosen(index + 1) }));
    this.#pointer?.paint();
  }

  // Whether an error has the heaviest of several severities.
  #isHeavy({ severity }) {
    const { severities } = this.block;
    return severities.length > 1 && severity === severities.at(-1).name;
  }
}

function classesOf(errors, others) {
  const named = {
    marked: errors.length > 0,
    twice: errors.length > 1,
    heavy: errors.some(({ isHeavy }) => isHeavy),
    open: errors.some(({ isOpen }) => isOpen),
    ...others,
  };
  return Object.keys(named).filter((name) => named[name]).join(" ");
}

// What belongs to each category, folded away.
function meanings({ categories }) {
  const explained = categories.filter(({ guidance }) => guidance);
  if (!explained.length) return null;
  return element("details", { class: "guidance" },
    element("summary", {}, gettext("What the categories mean")),
    element("dl", {}, explained.flatMap(({ name, guidance }) => [
      element("dt", { dir: "auto" }, name), element("dd", { dir: "auto" }, guidance)])));
}
