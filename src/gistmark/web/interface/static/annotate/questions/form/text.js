// A question that is answered in one's own words. Nothing is ever written into the field while it
// is used, so that input methods, which compose characters, are left in peace; a text that is too
// long is kept and said to be so.

import { element } from "../../dom.js";
import { gettext, interpolate, ngettext } from "../../translation.js";

const MOST_ROWS = 8;
const CHARACTERS_IN_A_ROW = 120;

export function control({ block, id, labelledBy, value, set, announce }) {
  const counter = element("p", { class: "hint counter", id: `${id}-counter` });
  const input = element("textarea", {
    id, dir: "auto", rows: Math.min(MOST_ROWS, 1 + Math.ceil(block.longest / CHARACTERS_IN_A_ROW)),
    "aria-labelledby": labelledBy, "aria-describedby": `${id}-counter`,
  });
  input.value = value ?? "";
  const count = () => {
    const length = lengthOf(input.value);
    const over = length > block.longest;
    if (over && !counter.classList.contains("is-over")) announce(lackOf(block, length));
    counter.classList.toggle("is-over", over);
    counter.textContent = counted(block, length);
  };
  input.addEventListener("input", () => {
    count();
    set(input.value.trim() === "" ? null : input.value);
  });
  count();
  return {
    node: element("div", {}, input, counter),
    target: id,
    missing: (text) => lackOf(block, lengthOf(text)),
    clears: true,
  };
}

// As the server counts: characters beyond the first plane are one each.
function lengthOf(text) {
  return [...text.trim()].length;
}

function counted({ shortest, longest }, count) {
  const values = { count, fewest: shortest, most: longest };
  return interpolate(shortest > 1
    ? gettext("%(count)s characters (%(fewest)s to %(most)s)")
    : gettext("%(count)s of %(most)s characters"), values);
}

function lackOf({ shortest, longest }, count) {
  if (count < shortest) {
    return ngettext("Write at least %(count)s character.", "Write at least %(count)s characters.",
      shortest);
  }
  if (count > longest) {
    return ngettext("Write at most %(count)s character.", "Write at most %(count)s characters.",
      longest);
  }
  return null;
}
