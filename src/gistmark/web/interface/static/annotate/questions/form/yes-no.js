// A question that is answered with yes or no, or with "unsure" where that is offered.

import { options } from "../../controls.js";
import { gettext } from "../../translation.js";

const WORDS = { yes: gettext("Yes"), no: gettext("No"), unsure: gettext("Unsure") };

export function control({ block, id, labelledBy, value, set }) {
  const values = Object.keys(WORDS).filter((each) => each !== "unsure" || block.unsure);
  return {
    node: options({
      id, labelledBy, row: true,
      options: values.map((each) => ({ value: each, text: WORDS[each] })),
      isChosen: (each) => each === value, onChange: set,
    }),
    target: id,
  };
}

export { selected } from "./choice.js";
