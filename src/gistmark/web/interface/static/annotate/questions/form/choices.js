// A question with options, of which several may be chosen. That none applies is an answer too, and
// has a box of its own, unless at least one has to be chosen.

import { options } from "../../controls.js";
import { element } from "../../dom.js";
import { gettext, interpolate } from "../../translation.js";
import { offered } from "./choice.js";

// What the box for none stands for; no option is empty.
const NONE = "";

export function control({ block, item, id, labelledBy, value, set }) {
  const chosen = new Set(value ?? []);
  let none = value !== null && !value.length;
  const shown = offered(block, item);
  if (block.fewest === 0) shown.push({ value: NONE, text: gettext("None of these") });
  const node = options({
    id, labelledBy: `${labelledBy} ${id}-hint`, options: shown, several: true,
    isChosen: (option) => (option === NONE ? none : chosen.has(option)),
    onChange: (option, checked) => {
      if (option === NONE) {
        none = checked;
        chosen.clear();
      } else {
        none = false;
        if (checked) chosen.add(option);
        else chosen.delete(option);
      }
      for (const input of node.querySelectorAll("input")) {
        input.checked = input.value === NONE ? none : chosen.has(input.value);
      }
      const given = block.options.filter((each) => chosen.has(each));
      set(given.length || none ? given : null);
    },
  });
  const limits = limitsOf(block);
  return {
    node: element("div", {}, element("p", { class: "hint", id: `${id}-hint` }, limits), node),
    target: id,
    missing: ({ length }) => (
      length < block.fewest || length > (block.most ?? length) ? limits : null),
  };
}

export function selected(block, value) {
  return value;
}

function limitsOf({ fewest, most }) {
  const sentence = () => {
    if (most === null) {
      return fewest ? gettext("Choose at least %(fewest)s.") : gettext("Choose all that apply.");
    }
    if (fewest === most) return gettext("Choose exactly %(most)s.");
    return fewest
      ? gettext("Choose %(fewest)s to %(most)s.") : gettext("Choose at most %(most)s.");
  };
  return interpolate(sentence(), { fewest, most });
}
