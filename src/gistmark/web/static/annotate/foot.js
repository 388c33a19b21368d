// The bar at the foot of a task: back, where one is, on, and handing in. `missing` is the list of
// what is still to do, which stands above it.

import { button, element, plural } from "./dom.js";

const MOST_LISTED = 6;

export class Foot {
  // `go` leads to a screen, and to a control on it; `handIn` hands in.
  constructor(count, { go, handIn }) {
    this.count = count;
    this.go = go;
    this.number = 0;
    this.back = button("Back", () => go(this.number - 1));
    this.next = button("Next", () => go(this.number + 1), { class: "primary" });
    this.handIn = button("Hand in", handIn, { class: "primary" });
    this.place = element("span", { class: "foot-place" });
    this.progress = element("progress", { max: count, "aria-hidden": "true" });
    this.missing = element("div", { class: "missing" });
    this.wait = element("span", { class: "foot-wait" });
    this.todo = button("", () => this.missing.querySelector("a").focus(), {
      class: "quiet small foot-todo",
    });
    this.node = element("div", { class: "foot" },
      this.back,
      element("div", { class: "foot-middle" }, this.progress, this.place, this.wait, this.todo),
      this.next, this.handIn);
  }

  // `lacking` is what is missing, `seconds` how long one still has to wait.
  refresh(number, lacking, seconds, busy) {
    const last = number === this.count - 1;
    this.number = number;
    for (const node of [this.back, this.place, this.progress]) node.hidden = this.count === 1;
    this.back.disabled = number === 0;
    this.next.hidden = last;
    this.handIn.hidden = !last;
    this.handIn.disabled = busy || lacking.length > 0 || seconds > 0;
    this.place.textContent = `Step ${number + 1} of ${this.count}`;
    this.progress.value = number + 1;
    this.#showWait(last && seconds > 0 ? `Please take ${plural(seconds, "more second")}.` : "");
    this.todo.hidden = !last || !lacking.length;
    this.todo.textContent = `Still to do: ${lacking.length}`;
    this.#showMissing(last ? lacking : []);
  }

  #showWait(text) {
    if (this.wait.textContent !== text) this.wait.textContent = text;
  }

  #showMissing(lacking) {
    const shown = JSON.stringify(lacking);
    if (shown === this.missing.dataset.shown) return;
    this.missing.dataset.shown = shown;
    this.missing.replaceChildren(...(lacking.length ? this.#list(lacking) : []));
  }

  #list(lacking) {
    const rest = lacking.length - MOST_LISTED;
    const links = lacking.slice(0, MOST_LISTED).map(({ screen, target, text }) => (
      element("li", {}, element("a", {
        href: `#${target}`,
        on: { click: (event) => { event.preventDefault(); this.go(screen, target); } },
      }, text))));
    if (rest > 0) links.push(element("li", {}, `and ${rest} more`));
    return [element("p", {}, "Still to do before you can hand in:"), element("ul", {}, links)];
  }
}
