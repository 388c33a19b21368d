// A question with a few points to choose one from, with confidence and weight if asked for.

import { PARTS, points, rateByDigit, slider } from "../../controls.js";
import { element } from "../../dom.js";
import { faultLine } from "../../feedback.js";

export function control({ block, id, labelledBy, field, value, set, move }) {
  let given = { ...value };
  const scales = { value: block.scale, confidence: block.confidence, weight: block.weight };
  const asked = Object.keys(PARTS).filter((part) => scales[part]);
  const rate = (part) => (number) => {
    given = { ...given, [part]: number };
    set(given);
  };
  const nodes = asked.map((part) => {
    const own = part === "value" ? id : `${id}-${part}`;
    const label = PARTS[part] === null ? null
      : element("p", { class: "part-label", id: `${own}-label` }, PARTS[part]);
    const options = {
      id: own, scale: scales[part], value: given[part] ?? null,
      labelledBy: label ? `${labelledBy} ${own}-label` : labelledBy,
    };
    const input = scales[part].form === "slider"
      ? slider({ ...options, onInput: rate(part), onMove: part === "value" ? move : () => {} })
      : points({ ...options, onChoose: rate(part) });
    return element("div", { class: `part part-${part}` }, label, input,
      part === "value" ? null : faultLine(`${field}.${part}`));
  });
  return {
    node: element("div", {}, nodes),
    target: id,
    missing: (answer) => {
      const part = asked.find((each) => (answer[each] ?? null) === null);
      return part === undefined ? null : PARTS[part] ?? block.question;
    },
    onKey: block.scale.form === "points" ? rateByDigit : undefined,
  };
}

export function selected(block, { value }) {
  return value === undefined ? [] : [value];
}
