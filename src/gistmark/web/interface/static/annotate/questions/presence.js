// Marking presence: for each content unit, whether the summary states it.

import { element, keycap } from "../dom.js";
import { faultLine } from "../feedback.js";
import { columns, documentOf, passage, pinned, referencesOf, titleOf } from "../material.js";
import { gettext, interpolate, pieces } from "../translation.js";

const PART = "presence";
const NAMES = [[true, gettext("Yes")], [false, gettext("No")]];

export function question() {
  return {
    heading: gettext("Which content units does the summary state?"),
    noun: gettext("Summary"),
    build: (screen, page) => layout(screen.item, page),
    missing: ({ item }, answer) => item.units.flatMap(({ id, text }, index) => (
      marked(answer, item, id) === null ? [{ target: controlId(item, index), text }] : [])),
  };
}

function marked(answer, { key }, id) {
  return answer.part(key, PART)?.[id] ?? null;
}

function controlId({ key }, index) {
  return `presence-${key}-${index}`;
}

function layout(item, { answer, announce, goOn, onKey = () => {} }) {
  const count = element("p", { class: "unit-count" });
  const say = () => {
    const done = item.units.filter(({ id }) => marked(answer, item, id) !== null).length;
    count.textContent = interpolate(gettext("%(done)s of %(count)s units are marked."), {
      done, count: item.units.length,
    });
  };
  const rows = item.units.map((unit, index) => rowOf(unit, index, item, answer, say));
  const list = element("ol", { class: "units" }, rows.map(({ node }) => node));
  const act = (event) => onPress(event, rows, { announce, goOn });
  list.addEventListener("keydown", (event) => { if (event.target.matches("input")) act(event); });
  onKey(act);
  say();
  const summary = pinned(passage(gettext("Summary"), item.summary, { lang: item.lang }));
  const beside = [titleOf(item), ...referencesOf(item), documentOf(item, answer)];
  return columns([summary, ...beside], [
    element("h3", {}, gettext("Does the summary state it?")), count, list,
    element("p", { class: "hint keys" }, pieces(
      gettext("%(yes)s or %(one)s is Yes, %(no)s or %(two)s is No, and the next unit follows; " +
        "%(up)s %(down)s change the unit, %(enter)s goes on."), {
        yes: keycap("Y"), one: keycap("1"), no: keycap("N"), two: keycap("2"), up: keycap("↑"),
        down: keycap("↓"), enter: keycap(gettext("Enter")),
      })),
  ], "left");
}

function rowOf({ id, text }, index, item, answer, say) {
  const control = controlId(item, index);
  const inputs = NAMES.map(([value]) => element("input", {
    type: "radio", name: control, id: value ? control : `${control}-no`, value: String(value),
    on: { change: () => set(value) },
  }));
  const set = (value) => {
    answer.setPart(item.key, PART, { ...answer.part(item.key, PART), [id]: value });
    say();
  };
  const given = marked(answer, item, id);
  for (const [at, [value]] of NAMES.entries()) inputs[at].checked = given === value;
  const choose = (at) => {
    inputs[at].checked = true;
    set(NAMES[at][0]);
  };
  const focus = () => (inputs.find(({ checked }) => checked) ?? inputs[0]).focus();
  const node = element("li", { class: "unit dimension" },
    element("p", { class: "unit-text", id: `${control}-text`, lang: item.lang, dir: "auto" }, text),
    element("div", { class: "sides", role: "radiogroup", "aria-labelledby": `${control}-text` },
      NAMES.map(([, name], at) => element("label", { class: "side" }, inputs[at], name))),
    faultLine(`items.${item.key}.${PART}.${id}`));
  return { node, inputs, choose, focus };
}

// On the unit that has the focus; from elsewhere, on the first that is not marked.
function onPress(event, rows, { announce, goOn }) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const focused = rows.findIndex(({ inputs }) => inputs.includes(event.target));
  const index = focused >= 0 ? focused : Math.max(0, rows.findIndex(isOpen));
  const mark = (at) => {
    rows[index].choose(at);
    announce(NAMES[at][1]);
    const next = rows.findIndex((row, each) => each > index && isOpen(row));
    (next < 0 ? rows[index] : rows[next]).focus();
  };
  const forward = getComputedStyle(rows[index].node).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
  const actions = {
    y: () => mark(0), 1: () => mark(0), n: () => mark(1), 2: () => mark(1),
    ArrowLeft: () => pick(rows[index], forward === "ArrowLeft" ? 1 : 0),
    ArrowRight: () => pick(rows[index], forward === "ArrowRight" ? 1 : 0),
    ArrowUp: () => rows[Math.max(0, index - 1)].focus(),
    ArrowDown: () => rows[Math.min(rows.length - 1, index + 1)].focus(),
    Enter: goOn,
  };
  const action = actions[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

function pick(row, at) {
  row.choose(at);
  row.inputs[at].focus();
}

function isOpen({ inputs }) {
  return inputs.every(({ checked }) => !checked);
}
