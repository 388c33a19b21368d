// The bar at the foot of a task: back, the step, next, and submission. `missing` is the list of
// what is still to do, which stands above it.

import { button, element } from "../dom.js";
import { gettext, interpolate, ngettext } from "../translation.js";

const MOST_LISTED = 6;

export class Foot {
  // `go` leads to a screen, and to a control on it; `submit` submits the work.
  constructor(count, { go, submit }) {
    this.count = count;
    this.go = go;
    this.number = 0;
    this.back = button(gettext("Back"), () => go(this.number - 1));
    this.next = button(gettext("Next"), () => go(this.number + 1), { class: "primary" });
    this.submit = button(gettext("Submit"), submit, { class: "primary" });
    this.step = element("span", { class: "foot-step" });
    this.progress = element("progress", { max: count, "aria-hidden": "true" });
    this.missing = element("div", { class: "missing" });
    this.remark = element("span", { class: "foot-note", role: "status" });
    this.todo = button("", () => this.missing.querySelector("a").focus(), {
      class: "quiet small foot-todo",
    });
    this.node = element("div", { class: "foot" },
      this.back,
      element("div", { class: "foot-middle" }, this.progress, this.step, this.remark, this.todo),
      this.next, this.submit);
  }

  // Says something about the work as such; an earlier remark goes.
  note(text) {
    if (this.remark.textContent !== text) this.remark.textContent = text;
  }

  // `unfinished` is what is missing.
  refresh(number, unfinished, busy) {
    const last = number === this.count - 1;
    this.number = number;
    for (const node of [this.back, this.step, this.progress]) node.hidden = this.count === 1;
    this.back.disabled = number === 0;
    this.next.hidden = last;
    this.submit.hidden = !last;
    this.submit.disabled = busy || unfinished.length > 0;
    this.step.textContent = interpolate(gettext("Step %(number)s of %(count)s"), {
      number: number + 1, count: this.count,
    });
    this.progress.value = number + 1;
    this.todo.hidden = !last || !unfinished.length;
    this.todo.textContent = interpolate(gettext("Still to do: %(count)s"), {
      count: unfinished.length,
    });
    this.#showMissing(last ? unfinished : []);
  }

  #showMissing(unfinished) {
    const shown = JSON.stringify(unfinished);
    if (shown === this.missing.dataset.shown) return;
    this.missing.dataset.shown = shown;
    this.missing.replaceChildren(...(unfinished.length ? this.#list(unfinished) : []));
  }

  #list(unfinished) {
    const rest = unfinished.length - MOST_LISTED;
    const links = unfinished.slice(0, MOST_LISTED).map(({ screen, target, text }) => (
      element("li", {}, element("a", {
        href: `#${target}`,
        on: { click: (event) => { event.preventDefault(); this.go(screen, target); } },
      }, text))));
    if (rest > 0) links.push(element("li", {}, ngettext("and %(count)s more", "and %(count)s more", rest)));
    return [
      element("p", {}, gettext("Still to do before you can submit:")), element("ul", {}, links),
    ];
  }
}
