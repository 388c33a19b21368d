// Comparing two summaries: for each dimension the left or the right one, by mouse, touch or keys.

import { element, keycap } from "../dom.js";
import { faultLine } from "../feedback.js";
import {
  documentOf, guidance, pairOf, referencesOf, sideName, titleOf,
} from "../material.js";
import { gettext, pieces } from "../translation.js";

const SIDES = ["left", "right"];

export function question(task) {
  return {
    heading: gettext("Compare the two summaries"),
    noun: gettext("Pair"),
    build: (screen, page) => layout(task, screen, page),
    missing: ({ item, dimensions }, answer) => dimensions
      .filter(({ name }) => chosen(answer, item, name) === null)
      .map((dimension) => ({
        target: choiceId(item, task.dimensions.indexOf(dimension)), text: dimension.question,
      })),
  };
}

function chosen(answer, { key }, name) {
  return answer.part(key, "choices")?.[name] ?? null;
}

function choiceId({ key }, index) {
  return `choice-${key}-${index}`;
}

function layout(task, { item, dimensions }, { answer, goOn, onKey = () => {} }) {
  const groups = dimensions.map((dimension) => choiceOf(dimension, task, item, answer));
  const questions = element("div", { class: "questions choices-of-pair" },
    groups.map(({ node }) => node));
  questions.addEventListener("keydown", (event) => {
    if (event.target.matches("input")) act(event, groups, goOn);
  });
  onKey((event) => act(event, groups, goOn));
  const beside = [documentOf(item, answer), ...referencesOf(item)].filter((node) => node !== null);
  return element("div", { class: "comparison" },
    titleOf(item),
    beside.length ? element("div", { class: "beside" }, beside) : null,
    pairOf(item),
    questions,
    element("p", { class: "hint keys" }, pieces(
      gettext("%(left)s %(right)s choose, %(up)s %(down)s change the question, %(enter)s goes on."),
      {
        left: keycap("←"), right: keycap("→"), up: keycap("↑"), down: keycap("↓"),
        enter: keycap(gettext("Enter")),
      })));
}

function choiceOf(dimension, task, item, answer) {
  const id = choiceId(item, task.dimensions.indexOf(dimension));
  const setChoice = (side) => {
    const choices = { ...answer.part(item.key, "choices"), [dimension.name]: side };
    answer.setPart(item.key, "choices", choices);
  };
  const inputs = {};
  for (const side of SIDES) {
    inputs[side] = element("input", {
      type: "radio", name: id, id: side === "left" ? id : `${id}-${side}`, value: side,
      on: { change: () => setChoice(side) },
    });
    inputs[side].checked = chosen(answer, item, dimension.name) === side;
  }
  const choose = (side) => {
    inputs[side].checked = true;
    inputs[side].focus();
    setChoice(side);
  };
  const focus = () => (inputs.right.checked ? inputs.right : inputs.left).focus();
  const node = element("div", {
    class: "dimension choice", role: "radiogroup", "aria-labelledby": `${id}-question`,
  },
    element("label", { class: "side side-left" }, inputs.left, sideName("left")),
    element("div", { class: "choice-question" },
      element("p", { id: `${id}-question`, dir: "auto" }, dimension.question), guidance(dimension)),
    element("label", { class: "side side-right" }, inputs.right, sideName("right")),
    faultLine(`items.${item.key}.choices.${dimension.name}`));
  return { node, inputs, choose, focus };
}

// On the question that has the focus; from elsewhere, on the first that is not answered.
function act(event, groups, goOn) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const focused = groups.findIndex(({ inputs }) => Object.values(inputs).includes(event.target));
  const open = groups.findIndex(({ inputs }) => (
    Object.values(inputs).every(({ checked }) => !checked)));
  const index = focused >= 0 ? focused : Math.max(0, open);
  const actions = {
    ArrowLeft: () => groups[index].choose("left"),
    ArrowRight: () => groups[index].choose("right"),
    ArrowUp: () => groups[Math.max(0, index - 1)].focus(),
    ArrowDown: () => groups[Math.min(groups.length - 1, index + 1)].focus(),
    Enter: goOn,
  };
  if (!(event.key in actions)) return;
  event.preventDefault();
  actions[event.key]();
}
