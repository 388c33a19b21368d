// The summaries of a set inside the controls of a question: each by its name, which folds its text.

import { button, element } from "../../../dom.js";
import { gettext, interpolate } from "../../../translation.js";

export function nameOf(index) {
  return interpolate(gettext("%(noun)s %(number)s"), {
    noun: gettext("Summary"), number: index + 1,
  });
}

// One for each summary: `name`, a button that folds the `text`, and `show(whether)`.
export function foldingTexts({ item, id, unfolded }) {
  return item.summaries.map((summary, index) => {
    const text = element("p", {
      class: "text", id: `${id}-text-${index}`, lang: item.lang, dir: "auto",
    }, summary);
    const name = button(nameOf(index), () => show(text.hidden), {
      class: "quiet small summary-name", "aria-controls": text.id,
    });
    const show = (whether) => {
      text.hidden = !whether;
      name.setAttribute("aria-expanded", String(whether));
    };
    show(unfolded);
    return { name, text, show };
  });
}

// Folds the texts of all, or unfolds them where all are folded.
export function foldAll(texts) {
  const label = () => (texts.some(({ text }) => !text.hidden)
    ? gettext("Fold all texts") : gettext("Unfold all texts"));
  const toggle = button(label(), () => {
    const folded = texts.every(({ text }) => text.hidden);
    for (const { show } of texts) show(folded);
    toggle.textContent = label();
  }, { class: "quiet small fold-all" });
  for (const { name } of texts) {
    name.addEventListener("click", () => { toggle.textContent = label(); });
  }
  return toggle;
}
