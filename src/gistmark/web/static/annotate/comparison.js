// Comparing two summaries: for each dimension the left or the right one, by mouse, touch or keys.

import { documentOf, referencesOf, titleOf } from "./beside.js";
import { choiceId, faultPlace } from "./controls.js";
import { element } from "./dom.js";
import { guidance } from "./rating.js";
import { passage } from "./text.js";

// On a narrow screen the two stand one above the other.
const SIDES = { left: ["Left", "above"], right: ["Right", "below"] };

export function comparisonScreen({ task, item, dimensions, answer, goOn }) {
  const groups = dimensions.map((dimension) => choiceOf(dimension, task, item, answer));
  const questions = element("div", { class: "questions choices-of-pair" },
    groups.map(({ node }) => node));
  questions.addEventListener("keydown", (event) => onKey(event, groups, goOn));
  const beside = [documentOf(item, answer), ...referencesOf(item)].filter((node) => node !== null);
  return element("div", { class: "comparison" },
    titleOf(item),
    beside.length ? element("div", { class: "beside" }, beside) : null,
    element("div", { class: "pair" },
      Object.keys(SIDES).map((side) => passage(sideName(side), item[side], { lang: item.lang }))),
    questions,
    element("p", { class: "hint keys" },
      element("kbd", {}, "←"), " ", element("kbd", {}, "→"), " choose, ",
      element("kbd", {}, "↑"), " ", element("kbd", {}, "↓"), " change the question, ",
      element("kbd", {}, "Enter"), " goes on."));
}

function sideName(side) {
  const [name, stacked] = SIDES[side];
  return element("span", {}, name, element("span", { class: "narrow-only" }, ` (${stacked})`));
}

function choiceOf(dimension, task, item, answer) {
  const place = task.dimensions.indexOf(dimension);
  const id = choiceId(item.key, place);
  const inputs = {};
  for (const side of Object.keys(SIDES)) {
    inputs[side] = element("input", {
      type: "radio", name: id, id: side === "left" ? id : `${id}-${side}`, value: side,
      on: { change: () => answer.choose(item.key, dimension.name, side) },
    });
    inputs[side].checked = answer.choice(item.key, dimension.name) === side;
  }
  const choose = (side) => {
    inputs[side].checked = true;
    inputs[side].focus();
    answer.choose(item.key, dimension.name, side);
  };
  const focus = () => (inputs.right.checked ? inputs.right : inputs.left).focus();
  const node = element("div", {
    class: "dimension choice", role: "radiogroup", "aria-labelledby": `${id}-question`,
  },
    element("label", { class: "side side-left" }, inputs.left, sideName("left")),
    element("div", { class: "choice-question" },
      element("p", { id: `${id}-question` }, dimension.question), guidance(dimension)),
    element("label", { class: "side side-right" }, inputs.right, sideName("right")),
    faultPlace(`items.${item.key}.choices.${dimension.name}`));
  return { node, inputs, choose, focus };
}

function onKey(event, groups, goOn) {
  const place = groups.findIndex(({ inputs }) => Object.values(inputs).includes(event.target));
  if (place < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
  const actions = {
    ArrowLeft: () => groups[place].choose("left"),
    ArrowRight: () => groups[place].choose("right"),
    ArrowUp: () => groups[Math.max(0, place - 1)].focus(),
    ArrowDown: () => groups[Math.min(groups.length - 1, place + 1)].focus(),
    Enter: goOn,
  };
  if (!(event.key in actions)) return;
  event.preventDefault();
  actions[event.key]();
}
