// A made-up question type: yes or no, for each dimension (tests/judgements/yes_no.py).

import { element } from "../dom.js";
import { faultLine } from "../feedback.js";
import { passage } from "../material.js";

export function question(task) {
  return {
    heading: "Yes or no?",
    noun: "Summary",
    build: ({ item, dimensions }, { answer }) => element("div", { class: "single" },
      passage("Summary", item.summary),
      dimensions.map((dimension) => fieldset(task, item, dimension, answer))),
    missing: ({ item, dimensions }, answer) => dimensions
      .filter(({ name }) => typeof answer.part(item.key, "replies")?.[name] !== "boolean")
      .map(({ name, question: text }) => ({ target: idOf(item, name), text })),
  };
}

function idOf({ key }, name) {
  return `yes-no-${key}-${name}`;
}

function fieldset(task, item, dimension, answer) {
  const id = idOf(item, dimension.name);
  const replies = () => answer.part(item.key, "replies") ?? {};
  const inputs = [["yes", true], ["no", false]].map(([word, value]) => {
    const input = element("input", {
      type: "radio", name: id, id: value ? id : `${id}-no`,
      on: {
        change: () => answer.setPart(
          item.key, "replies", { ...replies(), [dimension.name]: value }),
      },
    });
    input.checked = replies()[dimension.name] === value;
    return element("label", { class: "side" }, input, task.words[word]);
  });
  return element("fieldset", { class: "dimension" },
    element("legend", {}, dimension.question), inputs,
    faultLine(`items.${item.key}.replies.${dimension.name}`));
}
