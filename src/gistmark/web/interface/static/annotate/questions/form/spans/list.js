// The errors beside the text: what each is, and its editor where it is open.

import { button, element } from "../../../dom.js";
import { gettext, interpolate } from "../../../translation.js";
import { editorOf } from "./editor.js";

// `marking` knows the errors and does what the buttons say.
export function errorList(marking) {
  const { errors, id } = marking;
  if (!errors.list.length) {
    return [element("li", { class: "hint none" },
      gettext("Nothing is marked yet. Select words of the summary, then press Mark."))];
  }
  return errors.inOrder.map((error, index) => entryOf(marking, error, `${id}-${index}`));
}

function entryOf(marking, error, id) {
  const isOpen = marking.open === error;
  const phrase = marking.phraseOf(error);
  const about = element("span", { class: "error-about" }, aboutOf(marking, error));
  const toggle = button("", () => marking.toggle(error), {
    class: "phrase quiet small", id, "aria-expanded": String(isOpen), "aria-controls": `${id}-editor`,
  });
  toggle.append(element("q", { dir: "auto" }, phrase), about);
  const remove = button("×", () => marking.remove(error), {
    class: "remove quiet small",
    "aria-label": interpolate(gettext("Remove the error: %(phrase)s"), { phrase }),
  });
  const changed = () => {
    about.replaceChildren(...aboutOf(marking, error));
    marking.changed();
  };
  return element("li", { class: isOpen ? "is-open" : null }, toggle, remove,
    isOpen ? null : detailsOf(marking, error),
    isOpen ? openEditor(marking, error, `${id}-editor`, changed) : null);
}

function openEditor(marking, error, id, changed) {
  const editor = editorOf({
    block: marking.block, error, id, changed, source: marking.sourceOf(error),
    isTaken: (category) => marking.errors.isTaken(error, category),
  });
  editor.append(button(gettext("Done"), () => marking.close(), { class: "small" }));
  editor.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    marking.close();
  });
  return editor;
}

// Category and severity, or what of them has to be chosen yet.
function aboutOf({ block, errors }, error) {
  const lack = errors.lacks(error, block);
  const named = [error.category, error.severity].filter((each) => each)
    .map((each) => element("span", { class: "kind-name" }, element("bdi", {}, each)));
  if (lack === null) return named;
  const open = lack === "category"
    ? gettext("Choose a category.") : gettext("Choose a severity.");
  return [...named, element("span", { class: "is-open-question" }, open)];
}

// What else is said of an error that is not open.
function detailsOf(marking, error) {
  const source = marking.sourcePhrase(error);
  const lines = [
    source === null ? null : element("p", { dir: "auto" },
      interpolate(gettext("In the document: “%(phrase)s”"), { phrase: source })),
    error.comment ? element("p", { dir: "auto" }, error.comment) : null,
  ].filter((line) => line !== null);
  return lines.length ? element("div", { class: "error-details hint" }, lines) : null;
}
