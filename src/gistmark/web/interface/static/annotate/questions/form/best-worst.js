// Several summaries of which to choose the best and the worst: two columns of radio buttons.

import { element } from "../../dom.js";
import { faultLine } from "../../feedback.js";
import { gettext, interpolate } from "../../translation.js";
import { foldAll, foldingTexts } from "./sets/summaries.js";

const ENDS = {
  best: {
    label: gettext("Best"), name: gettext("Best: summary %(number)s"),
    lack: gettext("Choose the best one."),
  },
  worst: {
    label: gettext("Worst"), name: gettext("Worst: summary %(number)s"),
    lack: gettext("Choose the worst one."),
  },
};
const OTHER = { best: "worst", worst: "best" };
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

// The form need not show the summaries once more.
export const holdsTexts = true;

export function control({ item, id, field, value, set, announce, unfolded }) {
  const given = { ...value };
  const texts = foldingTexts({ item, id, unfolded });
  const inputs = { best: [], worst: [] };
  const choose = (end, index) => {
    given[end] = index;
    if (given[OTHER[end]] === index) release(OTHER[end]);
    refresh();
    set({ ...given });
  };
  // The same summary cannot be both: the one that it was before is to be chosen anew.
  const release = (end) => {
    delete given[end];
    inputs[end].forEach((input) => { input.checked = false; });
    announce(ENDS[end].lack);
  };
  const input = (end, index) => {
    const first = end === "best" ? id : `${id}-worst`;
    const radio = element("input", {
      type: "radio", name: `${id}-${end}`, id: index ? `${first}-${index}` : first,
      value: index,
      "aria-label": interpolate(ENDS[end].name, { number: index + 1 }),
      on: { change: () => choose(end, index), keydown: (event) => onKey(event, end, index) },
    });
    radio.checked = given[end] === index;
    inputs[end].push(radio);
    return element("label", { class: `side end ${end}` }, radio, ENDS[end].label);
  };
  // Past the one that is chosen in the other column.
  const onKey = (event, end, index) => {
    const step = STEPS[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const count = inputs[end].length;
    let next = (index + step + count) % count;
    if (next === given[OTHER[end]]) next = (next + step + count) % count;
    inputs[end][next].checked = true;
    inputs[end][next].focus();
    choose(end, next);
  };
  const cards = texts.map(({ name, text }, index) => element("li", { class: "end-card" },
    element("div", { class: "end-head" }, input("best", index), name, input("worst", index)), text));
  const refresh = () => cards.forEach((card, index) => {
    card.classList.toggle("is-best", given.best === index);
    card.classList.toggle("is-worst", given.worst === index);
  });
  refresh();
  const open = () => Object.keys(ENDS).find((end) => given[end] === undefined);
  return {
    node: element("div", {}, foldAll(texts), element("ul", { class: "ends" }, cards),
      faultLine(`${field}.best`), faultLine(`${field}.worst`)),
    get target() { return open() === "worst" ? `${id}-worst` : id; },
    missing: () => (open() === undefined ? null : ENDS[open()].lack),
  };
}
