// The input of a scale: its ends, a label for each point or both ends, where a slider starts.

import { element } from "../annotate/dom.js";
import { choose, field, group, listen, newId, numberControl, pathOf, toggled } from "./inputs.js";

const MOST_LABELS = 21;
const FORMS = [["points", "A few points"], ["slider", "A slider"]];
const USUAL = { form: "points", low: 1, high: 5, labels: [], start: null };

export function scaleInput(setting, { values, path, changed }) {
  const here = pathOf(path, setting.name);
  const parts = () => scaleParts(values[setting.name], setting, here, changed);
  if (!setting.optional) {
    values[setting.name] ??= structuredClone(setting.start ?? USUAL);
    return { node: group({ ...setting, path: here, children: parts() }) };
  }
  return toggled({
    ...setting, path: here, on: (values[setting.name] ?? null) !== null,
    turn: (on) => {
      values[setting.name] = on ? structuredClone(USUAL) : null;
      changed();
    },
    content: parts,
  });
}

function scaleParts(scale, setting, path, changed) {
  const labels = element("div", { class: "labels" });
  const start = element("div", {});
  const redraw = () => {
    labels.replaceChildren(labelsOf(scale, path, changed));
    start.replaceChildren(...(scale.form === "slider" ? [startOf(scale, path, changed)] : []));
  };
  const end = (name, label) => field({
    label, path: `${path}.${name}`,
    control: numberControl({
      value: scale[name],
      set: (value) => {
        scale[name] = value;
        redraw();
        changed();
      },
    }),
  });
  const form = setting.form ? null : field({
    label: "Shown as", path: `${path}.form`,
    control: choose(FORMS, scale.form, (value) => {
      Object.assign(scale, { form: value, labels: [], start: null });
      redraw();
      changed();
    }),
  });
  redraw();
  return [form, element("div", { class: "ends" }, end("low", "Lowest"), end("high", "Highest")),
    start, labels].filter((each) => each !== null);
}

function startOf(scale, path, changed) {
  return field({
    label: "Starts at", path: `${path}.start`,
    help: "Empty: the slider is unset until it is moved.",
    control: numberControl({
      value: scale.start,
      set: (value) => {
        scale.start = value;
        changed();
      },
    }),
  });
}

// Points that a label can have: all of a few points, or both ends of a slider.
function pointsOf({ form, low, high }) {
  if (!Number.isInteger(low) || !Number.isInteger(high) || low >= high) return [];
  if (form === "slider") return [low, high];
  const count = high - low + 1;
  return count > MOST_LABELS ? [] : Array.from({ length: count }, (_, index) => low + index);
}

function labelsOf(scale, path, changed) {
  const points = pointsOf(scale);
  const given = points.map((_, index) => scale.labels[index] ?? "");
  const store = () => {
    scale.labels = given.some((each) => each !== "") ? [...given] : [];
    changed();
  };
  if (scale.labels.length !== 0 && scale.labels.length !== points.length && points.length) store();
  return group({
    label: "Labels", path: `${path}.labels`, help: "One for each, or none at all.",
    children: points.map((point, index) => {
      const id = newId();
      const control = element("input", { type: "text", id, dir: "auto", autocomplete: "off" });
      control.value = given[index];
      listen(control, "input", () => {
        given[index] = control.value;
        store();
      });
      return element("div", { class: "point-label" }, element("label", { for: id }, String(point)),
        control);
    }),
  });
}
