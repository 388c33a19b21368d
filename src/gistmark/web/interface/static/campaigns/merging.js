// Merging content units: what annotators wrote side by side, and below it the merged list, with a
// text, a weight and its sources for each unit. Everything is sent with the form.

import { button, element } from "../annotate/dom.js";

const LONGEST = 500;
const form = document.getElementById("merging");
const payload = JSON.parse(document.getElementById("payload").textContent);
const fixed = "fixed" in form.dataset;
const lang = form.dataset.lang || null;
const authors = new Map(payload.written.flatMap(({ annotator, units }) => (
  units.map(({ id }) => [id, annotator]))));
const texts = new Map(payload.written.flatMap(({ units }) => units.map(({ id, text }) => [id, text])));
const selects = new Map();

// A weight that is not the number of annotators was chosen by somebody, and stays.
let units = payload.units.map(({ id = null, text = "", weight = 1, sources = [] }) => ({
  id, text, weight, sources: sources.filter((source) => authors.has(source)),
  chosen: weight !== usualWeight(sources),
}));
let past = [];
let changed = payload.changed;

function usualWeight(sources) {
  return Math.max(1, new Set(sources.map((source) => authors.get(source))).size);
}

// Changes the list as one step that can be undone.
function change(edit, sentence, focus = null) {
  past.push(structuredClone(units));
  edit();
  for (const unit of units) if (!unit.chosen) unit.weight = usualWeight(unit.sources);
  touch();
  render(focus);
  document.getElementById("speaker").textContent = sentence;
}

function touch() {
  changed = true;
  const line = document.getElementById("unsaved");
  line.hidden = false;
  line.textContent = "There are changes that are not saved yet.";
}

function undo() {
  if (!past.length) return;
  units = past.pop();
  touch();
  render();
  document.getElementById("speaker").textContent = "Undone.";
}

function assign(source, target) {
  const from = units.find(({ sources }) => sources.includes(source));
  change(() => {
    if (from) from.sources = from.sources.filter((each) => each !== source);
    if (target === "new") {
      units.push({ id: null, text: texts.get(source), weight: 1, sources: [source], chosen: false });
    } else if (target !== "") units[Number(target)].sources.push(source);
  }, target === "" ? "Not used." : "Merged.");
  selects.get(source).focus();
}

function mergeUp(index) {
  change(() => {
    const [unit] = units.splice(index, 1);
    units[index - 1].sources.push(...unit.sources);
  }, `Unit ${index + 1} is merged into unit ${index}.`, index - 1);
}

function move(index, by) {
  if (index + by < 0 || index + by >= units.length) return;
  change(() => units.splice(index + by, 0, ...units.splice(index, 1)),
    `Unit ${index + 1} is number ${index + by + 1} now.`, index + by);
}

function drop(index) {
  change(() => units.splice(index, 1), `Unit ${index + 1} is dropped.`,
    Math.min(index, units.length - 2));
}

function render(focus = null) {
  renderWritten();
  document.getElementById("merged").replaceChildren(...units.map(rowOf));
  document.getElementById("undo").setAttribute("aria-disabled", String(!past.length));
  if (focus !== null && focus >= 0) document.getElementById(`merged-${focus}`)?.focus();
}

function renderWritten() {
  const columns = payload.written.map(({ annotator, units: written }) => (
    element("section", { class: "written-by" },
      element("h4", {}, element("bdi", {}, annotator)),
      element("ul", {}, written.map(sourceOf)))));
  document.getElementById("written").replaceChildren(...columns);
}

function sourceOf({ id, text, reference }) {
  const holder = units.findIndex(({ sources }) => sources.includes(id));
  const select = element("select", {
    class: "small", "aria-label": `Merged unit of: ${text}`, disabled: fixed,
    on: { change: () => assign(id, select.value) },
  },
    element("option", { value: "" }, "not used"),
    units.map((_, index) => element("option", { value: index }, `unit ${index + 1}`)),
    element("option", { value: "new" }, "a unit of its own"));
  select.value = holder < 0 ? "" : String(holder);
  selects.set(id, select);
  return element("li", { class: holder < 0 ? "source is-unused" : "source" },
    element("p", { dir: "auto", lang }, text),
    reference ? element("p", { class: "hint" }, "from ", element("bdi", {}, reference)) : null,
    select);
}

function rowOf(unit, index) {
  const grow = element("div", { class: "grow", "data-value": unit.text, lang, dir: "auto" });
  const field = element("textarea", {
    id: `merged-${index}`, rows: 1, maxlength: LONGEST, dir: "auto", lang, readonly: fixed,
    "aria-label": `Unit ${index + 1}`, "aria-describedby": `sources-${index}`,
    on: {
      focus: () => { field.before = structuredClone(units); },
      input: () => {
        field.value = field.value.replace(/\s*\n\s*/g, " ");
        grow.dataset.value = field.value;
        unit.text = field.value;
        touch();
      },
      change: () => { if (field.before) past.push(field.before); },
      keydown: (event) => {
        if (event.key === "Enter" && !event.isComposing) event.preventDefault();
      },
    },
  });
  field.value = unit.text;
  grow.append(field);
  const weight = element("input", {
    type: "number", min: 0.01, max: 1000000, step: "any", required: true, readonly: fixed,
    id: `weight-${index}`, "aria-label": `Weight of unit ${index + 1}`,
    on: {
      input: () => {
        unit.weight = weight.valueAsNumber;
        unit.chosen = true;
        touch();
      },
    },
  });
  weight.value = unit.weight;
  const writers = [...new Set(unit.sources.map((source) => authors.get(source)))];
  return element("li", { class: "unit" },
    element("span", { class: "unit-number", "aria-hidden": "true" }, String(index + 1)),
    grow,
    element("div", { class: "unit-weight" }, element("span", { "aria-hidden": "true" }, "weight"), weight),
    fixed ? null : element("div", { class: "unit-tools" },
      tool("↑", `Move unit ${index + 1} up`, () => move(index, -1)),
      tool("↓", `Move unit ${index + 1} down`, () => move(index, 1)),
      index ? tool("Merge ↑", `Merge unit ${index + 1} into unit ${index}`, () => mergeUp(index)) : null,
      tool("×", `Drop unit ${index + 1}`, () => drop(index))),
    element("p", { class: "unit-advice", id: `sources-${index}` }, payload.written.length === 0 ? ""
      : writers.length ? `written by ${writers.join(", ")}` : "written by none of the annotators"));
}

// The second click of a double click would be on another unit: the list has changed by then.
function tool(sign, name, act) {
  return button(sign, (event) => { if (event.detail < 2) act(); }, {
    class: "quiet small", "aria-label": name, title: name,
  });
}

document.getElementById("undo").addEventListener("click", undo);
document.getElementById("add")?.addEventListener("click", () => {
  change(() => units.push({ id: null, text: "", weight: 1, sources: [], chosen: false }),
    `Unit ${units.length + 1} is new.`, units.length);
});
form.addEventListener("submit", () => {
  const whole = units.filter(({ text, sources }) => text.trim() || sources.length);
  form.elements.units.value = JSON.stringify(whole.map(({ id, text, weight, sources }) => (
    { id, text, weight, sources })));
  changed = false;
});
window.addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });
render();
