// Inputs that depend on other answers: when a question is asked, and what a check expects.

import { element } from "../annotate/dom.js";
import {
  addInput, choose, field, group, newId, numberControl, pathOf, toggled,
} from "./inputs.js";

const MOST_BOXES = 30;

// Builds an input again where what it depends on has changed, but not under somebody's hands.
function refreshing(made, source) {
  let seen = JSON.stringify(source());
  return () => {
    const now = JSON.stringify(source());
    if (now === seen || made.body.contains(document.activeElement)) return;
    seen = now;
    made.fill();
  };
}

// Asked only after an answer: an earlier question, and which of its values.
addInput("condition", (setting, { values, path, changed, block }) => {
  const here = pathOf(path, "when");
  const made = toggled({
    ...setting, path: here, on: (values.when ?? null) !== null,
    turn: (on) => {
      const [first] = block.earlier();
      values.when = on ? { question: first?.name ?? "", values: [] } : null;
      changed();
    },
    content: () => conditionParts(values, here, changed, block, () => made.fill()),
  });
  return { node: made.node, refresh: refreshing(made, () => block.earlier()) };
});

function conditionParts(values, path, changed, block, redraw) {
  const earlier = block.earlier();
  if (!earlier.length) {
    return element("p", { class: "hint" },
      "No earlier question has answers that a condition can name.");
  }
  const { when } = values;
  const names = earlier.map(({ name, question }) => [name, `${name}: ${question}`]);
  if (!earlier.some(({ name }) => name === when.question)) {
    names.unshift([when.question, when.question || "Choose a question"]);
  }
  const other = earlier.find(({ name }) => name === when.question);
  const question = field({
    label: "After the answer to", path: `${path}.question`,
    control: choose(names, when.question, (value) => {
      Object.assign(when, { question: value, values: [] });
      changed();
      redraw();
    }),
  });
  return [question, valuesInput(other?.values ?? [], when, `${path}.values`, changed)];
}

function valuesInput(possible, when, path, changed) {
  const set = (members) => {
    when.values = members;
    changed();
  };
  const children = possible.length > MOST_BOXES ? rangeOf(possible, when, set)
    : possible.map((value) => boxOf(value, possible, when, set));
  return group({ label: "If the answer is", path, children });
}

function boxOf(value, possible, when, set) {
  const control = element("input", { type: "checkbox", id: newId() });
  control.checked = when.values.includes(value);
  control.addEventListener("change", () => {
    const chosen = new Set(when.values);
    if (control.checked) chosen.add(value);
    else chosen.delete(value);
    set(possible.filter((each) => chosen.has(each)));
  });
  return element("div", { class: "field is-choice" }, control,
    element("label", { for: control.id, dir: "auto" }, String(value)));
}

// Too many values to tick: those from one to another.
function rangeOf(possible, when, set) {
  const numbers = when.values.filter(Number.isInteger);
  const ends = { from: numbers[0] ?? null, to: numbers.at(-1) ?? null };
  const store = (name) => (value) => {
    ends[name] = value;
    const [from, to] = [ends.from ?? possible[0], ends.to ?? possible.at(-1)];
    set(possible.filter((each) => each >= from && each <= to));
  };
  const limits = { least: possible[0], most: possible.at(-1) };
  return element("div", { class: "ends" }, ["from", "to"].map((label) => field({
    label, control: numberControl({ value: ends[label], ...limits, set: store(label) }),
  })));
}

// An instructed attention check: what has to be chosen.
addInput("expected", (setting, { values, path, changed, block }) => {
  const here = pathOf(path, "expected");
  const made = toggled({
    ...setting, path: here, on: (values.expected ?? null) !== null,
    turn: (on) => {
      values.expected = on ? block.values()[0] ?? "" : null;
      changed();
    },
    content: () => {
      const possible = block.values();
      if (values.expected === "" && possible.length) [values.expected] = possible;
      const options = possible.map((value) => [String(value), String(value)]);
      if (!possible.includes(values.expected)) {
        options.unshift([String(values.expected), `${values.expected} (not possible)`]);
      }
      return field({
        label: "The right answer",
        control: choose(options, values.expected, (chosen) => {
          values.expected = possible.find((value) => String(value) === chosen) ?? chosen;
          changed();
        }),
      });
    },
  });
  return { node: made.node, refresh: refreshing(made, () => block.values()) };
});
