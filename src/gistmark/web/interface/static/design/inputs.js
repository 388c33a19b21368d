// The inputs of settings, one for each kind that the server describes (judgements/forms/inputs.py).
//
// `inputFor(setting, context)` returns {node, refresh?}. `context` has `values`, the object that
// holds the setting, `path` (that of the object in its block, for faults), `changed()` and `block`,
// which knows the earlier questions and the values of their answers.

import { element } from "../annotate/dom.js";
import { recordsInput, textsInput } from "./lists.js";
import { scaleInput } from "./scales.js";

let count = 0;

export function newId() {
  count += 1;
  return `design-${count}`;
}

export function pathOf(path, name) {
  return path ? `${path}.${name}` : name;
}

// A control with its label, its help, and space for what is wrong with it.
export function field({ label, help, control, path, choice = false }) {
  const id = control.id || newId();
  const hintId = help ? `${id}-hint` : null;
  control.id = id;
  control.setAttribute("aria-describedby", [hintId, `${id}-faults`].filter(Boolean).join(" "));
  const labelled = element("label", { for: id }, label);
  return element("div", {
    class: choice ? "field is-choice" : "field", "data-path": path, "data-label": label,
  }, choice ? [control, labelled] : [labelled, control],
  help ? element("p", { class: "hint", id: hintId }, help) : null,
  element("ul", { class: "errorlist", id: `${id}-faults`, hidden: true }));
}

// Several controls under one heading.
export function group({ label, help, path, children }) {
  return element("fieldset", { class: "field", "data-path": path, "data-label": label },
    element("legend", {}, label), help ? element("p", { class: "hint" }, help) : null,
    element("ul", { class: "errorlist", hidden: true }), children);
}

export function listen(control, event, handler) {
  control.addEventListener(event, handler);
  return control;
}

// A whole or decimal number; null where nothing is written.
export function numberControl({ value, least, most, set, step = "1" }) {
  const control = element("input", {
    type: "number", class: "is-short", step, min: least, max: most, inputmode: "numeric",
  });
  control.value = value ?? "";
  return listen(control, "input", () => set(control.value === "" ? null : Number(control.value)));
}

function textInput(setting, { values, path, changed }) {
  const control = element("input", { type: "text", dir: "auto", autocomplete: "off" });
  control.value = values[setting.name] ?? "";
  listen(control, "input", () => {
    values[setting.name] = control.value;
    changed();
  });
  return { node: field({ ...setting, control, path: pathOf(path, setting.name) }) };
}

function linesInput(setting, { values, path, changed }) {
  const control = element("textarea", { rows: "2", dir: "auto" });
  control.value = values[setting.name] ?? "";
  listen(control, "input", () => {
    values[setting.name] = control.value;
    changed();
  });
  return { node: field({ ...setting, control, path: pathOf(path, setting.name) }) };
}

function flagInput(setting, { values, path, changed }) {
  const control = element("input", { type: "checkbox" });
  control.checked = Boolean(values[setting.name]);
  listen(control, "change", () => {
    values[setting.name] = control.checked;
    changed();
  });
  return { node: field({ ...setting, control, path: pathOf(path, setting.name), choice: true }) };
}

function numberInput(setting, { values, path, changed }) {
  const control = numberControl({
    value: values[setting.name], least: setting.least, most: setting.most,
    step: setting.input === "number" ? "any" : "1",
    set: (value) => {
      values[setting.name] = value;
      changed();
    },
  });
  return { node: field({ ...setting, control, path: pathOf(path, setting.name) }) };
}

export function choose(options, value, set) {
  const control = element("select", {}, options.map(([each, label]) => (
    element("option", { value: each }, label))));
  control.value = String(value ?? "");
  return listen(control, "change", () => set(control.value));
}

function choiceInput(setting, { values, path, changed }) {
  const control = choose(setting.options, values[setting.name], (value) => {
    values[setting.name] = value;
    changed();
  });
  return { node: field({ ...setting, control, path: pathOf(path, setting.name) }) };
}

// What no other input fits: the JSON itself.
function jsonInput(setting, { values, path, changed }) {
  const control = element("textarea", { rows: "3", class: "is-code", spellcheck: "false" });
  const value = values[setting.name] ?? null;
  control.value = value === null ? "" : JSON.stringify(value, null, 2);
  listen(control, "input", () => {
    try {
      values[setting.name] = control.value.trim() === "" ? null : JSON.parse(control.value);
    } catch {
      values[setting.name] = control.value;
    }
    changed();
  });
  const help = setting.help || "As JSON.";
  return { node: field({ ...setting, help, control, path: pathOf(path, setting.name) }) };
}

// A box that is ticked to set something, and shows what can be set then.
export function toggled({ label, help, path, on, turn, content }) {
  const control = element("input", { type: "checkbox", id: newId() });
  control.checked = on;
  const body = element("div", { class: "toggled", hidden: !on });
  const fill = () => body.replaceChildren(...(control.checked ? [content()].flat() : []));
  listen(control, "change", () => {
    turn(control.checked);
    body.hidden = !control.checked;
    fill();
  });
  fill();
  const node = element("div", { class: "field", "data-path": path, "data-label": label },
    element("div", { class: "field is-choice" }, control,
      element("label", { for: control.id }, label),
      help ? element("p", { class: "hint" }, help) : null),
    element("ul", { class: "errorlist", hidden: true }), body);
  return { node, fill, body };
}

const INPUTS = {
  text: textInput, lines: linesInput, flag: flagInput, count: numberInput, number: numberInput,
  choice: choiceInput, texts: textsInput, records: recordsInput, scale: scaleInput, json: jsonInput,
};

export function addInput(kind, build) {
  INPUTS[kind] = build;
}

export function inputFor(setting, context) {
  return INPUTS[setting.input](setting, context);
}
