// What is said of one error: its category, its severity, a comment, and the words of the document
// that show it.

import { button, element } from "../../../dom.js";
import { gettext } from "../../../translation.js";

const LONGEST_COMMENT = 1000;

// `error` is changed in place; `changed` is called afterwards. `source` has the words that it
// points to (`phrase`, or null), `point` leads to the document, and `unpoint` takes them away; it
// is null where there is no document to point to. `isTaken(category)` tells what the same words
// cannot be marked as once more.
export function editorOf({ block, error, id, changed, source, isTaken = () => false }) {
  const choose = (part) => (value) => {
    error[part] = value;
    changed();
  };
  const isMissing = error.start === undefined;
  return element("div", { class: "editor", id },
    isMissing ? null : kinds({
      id: `${id}-category`, label: gettext("Category"), names: namesOf(block.categories),
      value: error.category, choose: choose("category"), isTaken,
    }),
    block.severities.length === 0 ? null : kinds({
      id: `${id}-severity`, label: gettext("Severity"), names: namesOf(block.severities),
      value: error.severity, choose: choose("severity"),
    }),
    source === null ? null : sourceOf(`${id}-source`, source),
    block.comments ? commentOn(`${id}-comment`, error, changed) : null);
}

function namesOf(kinds) {
  return kinds.map(({ name }) => name);
}

// A few names to choose one from.
function kinds({ id, label, names, value, choose, isTaken = () => false }) {
  const choices = names.map((name, index) => element("label", { class: "point kind" },
    element("input", {
      type: "radio", name: id, id: `${id}-${index}`, value: name, checked: name === value,
      disabled: isTaken(name), on: { change: () => choose(name) },
    }),
    element("span", { dir: "auto" }, name)));
  return element("div", { class: "part", role: "radiogroup", "aria-labelledby": `${id}-label` },
    element("p", { class: "part-label", id: `${id}-label` }, label),
    element("div", { class: "kinds" }, choices));
}

function commentOn(id, error, changed) {
  const field = element("textarea", {
    id, rows: 2, maxlength: LONGEST_COMMENT, dir: "auto",
    on: {
      input: () => {
        error.comment = field.value;
        changed();
      },
    },
  });
  field.value = error.comment ?? "";
  return element("div", { class: "part" },
    element("label", { class: "part-label", for: id }, gettext("Comment (optional)")), field);
}

function sourceOf(id, { phrase, point, unpoint }) {
  const given = phrase === null ? null : element("p", { class: "source-phrase", dir: "auto" }, phrase);
  return element("div", { class: "part", role: "group", "aria-labelledby": `${id}-label` },
    element("p", { class: "part-label", id: `${id}-label` },
      gettext("Which words of the document show it? (optional)")),
    given,
    element("div", { class: "row" },
      button(gettext("Select in the document"), point, { class: "small", id }),
      phrase === null ? null
        : button(gettext("Clear"), unpoint, { class: "small quiet" })));
}
