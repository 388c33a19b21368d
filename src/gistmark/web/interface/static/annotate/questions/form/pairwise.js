// A question about two summaries side by side: the left or the right one, no difference where that
// is offered, and by how much where that is asked. All answers stand in one line, from the
// strongest preference for the left one to the strongest for the right one.

import { element, keycap } from "../../dom.js";
import { sideName } from "../../material.js";
import { gettext, pieces } from "../../translation.js";

export function control({ block, item, task, id, labelledBy, value, set, goOn }) {
  const answers = answersOf(block);
  const middle = answers.findIndex(({ choice }) => choice === "right");
  const inputs = answers.map((answer, index) => element("input", {
    type: "radio", name: id, id: index ? `${id}-${index}` : id,
    value: [answer.choice, answer.strength].filter(Boolean).join("-"),
    on: { change: () => set(answer) },
  }));
  for (const [index, answer] of answers.entries()) inputs[index].checked = same(answer, value);
  const step = (towards) => {
    const current = inputs.findIndex(({ checked }) => checked);
    const first = towards > 0 ? middle : answers.findLastIndex(({ choice }) => choice === "left");
    const next = current < 0 ? first : Math.min(Math.max(current + towards, 0), answers.length - 1);
    inputs[next].checked = true;
    inputs[next].focus();
    set(answers[next]);
  };
  const node = element("div", {
    class: `preferences of-${answers.length}`, role: "radiogroup", "aria-labelledby": labelledBy,
  }, answers.map((answer, index) => element("label", { class: "point preference" },
    inputs[index], nameOf(answer, block))));
  const onKey = (event) => act(event, { node, step, goOn });
  node.addEventListener("keydown", onKey);
  return {
    node: element("div", {}, isFirst(block, item, task) ? keys() : null, node),
    target: id, onKey,
  };
}

export function selected(block, { choice }) {
  return [choice];
}

// Every answer, from left to right.
function answersOf({ ties, strength }) {
  const rising = (choice) => (strength === null
    ? [{ choice }] : strength.map((_, index) => ({ choice, strength: index + 1 })));
  return [...rising("left").reverse(), ...(ties ? [{ choice: "tie" }] : []), ...rising("right")];
}

function same({ choice, strength }, value) {
  return value !== null && choice === value.choice && strength === value.strength;
}

function nameOf({ choice, strength }, block) {
  if (choice === "tie") return element("span", {}, gettext("No difference"));
  if (strength === undefined) return sideName(choice);
  return element("span", {}, sideName(choice), " ",
    element("span", { class: "point-label", dir: "auto" }, block.strength[strength - 1]));
}

function act(event, { node, step, goOn }) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const actions = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    ArrowUp: () => focusNeighbour(node, -1),
    ArrowDown: () => focusNeighbour(node, 1),
    Enter: goOn,
  };
  if (!(event.key in actions)) return false;
  event.preventDefault();
  actions[event.key]();
  return true;
}

// The question before or after this one that is answered with the same keys.
function focusNeighbour(node, towards) {
  const all = [...node.closest(".screen").querySelectorAll(".preferences")]
    .filter((each) => !each.closest("[hidden]"));
  const other = all[all.indexOf(node) + towards] ?? node;
  (other.querySelector(":checked") ?? other.querySelector("input")).focus();
}

function isFirst(block, { order }, { blocks }) {
  const shown = order === undefined ? blocks : order.map((index) => blocks[index]);
  return shown.find(({ type }) => type === block.type) === block;
}

function keys() {
  return element("p", { class: "hint keys" }, pieces(
    gettext("%(left)s %(right)s choose, %(up)s %(down)s change the question, %(enter)s goes on."),
    {
      left: keycap("←"), right: keycap("→"), up: keycap("↑"), down: keycap("↓"),
      enter: keycap(gettext("Enter")),
    }));
}
