// What can be added to a form: what is shown, and every type of question.

import { button, element } from "../annotate/dom.js";
import { newId } from "./inputs.js";

export function menuOf(types, add) {
  const id = newId();
  const panel = element("div", { class: "add-panel", id, hidden: true });
  const opener = button("Add a block", () => show(panel.hidden), {
    class: "wide", "aria-expanded": "false", "aria-controls": id,
  });
  const show = (open) => {
    panel.hidden = !open;
    opener.setAttribute("aria-expanded", String(open));
    if (open) panel.querySelector("button").focus();
  };
  const entry = ({ title, about, block }) => element("li", {}, button([
    element("span", { class: "add-title" }, title), element("span", { class: "hint" }, about),
  ], () => {
    show(false);
    add(block);
  }, { class: "quiet add-entry" }));
  const part = (title, some) => [element("h3", {}, title),
    element("ul", {}, some.flatMap(({ starts }) => starts.map(entry)))];
  panel.append(...part("Show", types.filter(({ asks }) => !asks)),
    ...part("Ask", types.filter(({ asks }) => asks)));
  panel.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape") return;
    show(false);
    opener.focus();
  });
  return element("div", { class: "add" }, opener, panel);
}
