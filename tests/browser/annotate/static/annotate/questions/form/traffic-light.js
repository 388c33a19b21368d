// A made-up type of question in a form: one of the colours of a traffic light
// (tests/judgements/traffic_light.py).

import { options } from "../../controls.js";

export function control({ block, id, labelledBy, value, set }) {
  const colours = block.amber ? ["red", "amber", "green"] : ["red", "green"];
  return {
    node: options({
      id, labelledBy, row: true,
      options: colours.map((colour) => ({ value: colour, text: colour })),
      isChosen: (colour) => colour === value, onChange: set,
    }),
    target: id,
    missing: (colour) => (colour === "amber" ? "Make up your mind." : null),
  };
}

export function selected(block, value) {
  return [value];
}
