// A question with options, of which one is chosen.

import { options } from "../../controls.js";

export function control({ block, item, id, labelledBy, value, set }) {
  return {
    node: options({
      id, labelledBy, options: offered(block, item),
      isChosen: (option) => option === value, onChange: set,
    }),
    target: id,
  };
}

export function selected(block, value) {
  return [value];
}

// The options in the order of this item, where they are shuffled.
export function offered({ name, options: texts }, { questions }) {
  const order = questions?.[name]?.options ?? texts.map((_, index) => index);
  return order.map((index) => ({ value: texts[index], text: texts[index] }));
}
