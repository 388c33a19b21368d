// Settings that are lists: of texts, such as options, and of objects, such as categories.

import { button, element } from "../annotate/dom.js";
import { inputFor, listen, newId, pathOf, toggled } from "./inputs.js";

// The members of a list, each with buttons to move and to remove it, and one to add another.
// `build(list, index, name)` makes the inputs of a member; `blank()` is a new one.
class List {
  constructor({ setting, values, path, changed, build, blank, noun }) {
    Object.assign(this, { setting, values, path, changed, build, blank, noun });
    this.rows = element("ol", { class: "rows" });
    this.values[setting.name] ??= [];
    this.add = button(`Add an ${noun}`, () => this.insert(this.members.length), { class: "small" });
    this.node = element("fieldset", {
      class: "field", "data-path": pathOf(path, setting.name), "data-label": setting.label,
    }, element("legend", {}, setting.label),
    setting.help ? element("p", { class: "hint" }, setting.help) : null,
    element("ul", { class: "errorlist", hidden: true }), this.rows, this.add);
    this.fill();
  }

  get members() {
    return this.values[this.setting.name];
  }

  fill() {
    this.rows.replaceChildren(...this.members.map((_, index) => this.#row(index)));
  }

  insert(index, ...members) {
    this.members.splice(index, 0, ...(members.length ? members : [this.blank()]));
    this.#redraw(index + Math.max(members.length, 1) - 1);
  }

  #row(index) {
    const name = `${this.noun} ${index + 1}`;
    const tool = (label, text, act, disabled) => button(text, act, {
      class: "small quiet tool", "aria-label": `${label} ${name}`, title: label, disabled,
    });
    return element("li", { class: "list-row" },
      element("div", { class: "list-row-inputs" }, this.build(this, index, name)),
      element("div", { class: "tools" },
        tool("Move up", "↑", () => this.#move(index, -1), index === 0),
        tool("Move down", "↓", () => this.#move(index, 1), index === this.members.length - 1),
        tool("Remove", "×", () => this.#remove(index), false)));
  }

  #move(index, by) {
    const [member] = this.members.splice(index, 1);
    this.members.splice(index + by, 0, member);
    this.#redraw(index + by, by < 0 ? [0, 1] : [1, 0]);
  }

  #remove(index) {
    this.members.splice(index, 1);
    this.#redraw(Math.min(index, this.members.length - 1));
  }

  // Builds the rows again. The focus goes to the input of a row, or to the first of these of its
  // buttons that can be pressed.
  #redraw(index, tools = []) {
    this.fill();
    this.changed();
    const row = this.rows.children[index];
    const buttons = tools.map((number) => row.querySelectorAll(".tool")[number]);
    const target = buttons.find((each) => !each.disabled)
      ?? row?.querySelector("input, textarea, select") ?? this.add;
    target.focus();
  }
}

export function textsInput(setting, context) {
  const noun = setting.label === "Options" ? "option" : "entry";
  return optional(setting, context, () => "", () => {
    const list = new List({ ...context, setting, noun, blank: () => "", build: textRow });
    return list.node;
  });
}

function textRow(list, index, name) {
  const { members, setting, path, changed } = list;
  const control = element("input", {
    type: "text", dir: "auto", autocomplete: "off", id: newId(), "aria-label": name,
  });
  control.value = members[index];
  listen(control, "input", () => {
    members[index] = control.value;
    changed();
  });
  listen(control, "keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    list.insert(index + 1);
  });
  listen(control, "paste", (event) => {
    const pasted = event.clipboardData.getData("text");
    const lines = pasted.split(/\r?\n/).filter((each) => each.trim());
    if (lines.length < 2) return;
    event.preventDefault();
    members.splice(index, 1);
    list.insert(index, ...lines);
  });
  return element("div", {
    class: "field", "data-path": `${pathOf(path, setting.name)}[${index}]`, "data-label": name,
  }, control, element("ul", { class: "errorlist", hidden: true }));
}

export function recordsInput(setting, context) {
  const blank = () => Object.fromEntries(setting.fields.map(({ name, start }) => [name, start]));
  return optional(setting, context, blank, () => {
    const list = new List({
      ...context, setting, noun: "entry", blank,
      build: ({ members }, index) => setting.fields.map((each) => inputFor(each, {
        ...context, values: members[index],
        path: `${pathOf(context.path, setting.name)}[${index}]`,
      }).node),
    });
    return list.node;
  });
}

// A list that may be left out is behind a box to tick; it begins with as few members as it may.
function optional(setting, { values, path, changed }, blank, build) {
  if (!setting.optional) return { node: build() };
  return toggled({
    ...setting, help: "", path: pathOf(path, setting.name), content: build,
    on: (values[setting.name] ?? null) !== null,
    turn: (on) => {
      values[setting.name] = on ? Array.from({ length: setting.least ?? 1 }, blank) : null;
      changed();
    },
  });
}
