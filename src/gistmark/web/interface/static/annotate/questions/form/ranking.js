// Several summaries to put in order, the best first: by dragging, with buttons, or by keys. They
// stand in a random order at first, which is no answer until somebody says that it is right.

import { button, element, keycap } from "../../dom.js";
import { gettext, interpolate, pieces } from "../../translation.js";
import { makeDraggable, scrollerOf } from "./sets/dragging.js";
import { isSame, joined, placed, ranksOf, stepped } from "./sets/order.js";
import { foldAll, foldingTexts } from "./sets/summaries.js";

// The form need not show the summaries once more.
export const holdsTexts = true;

export function control(context) {
  return { node: new Ranking(context).node, target: context.id };
}

class Ranking {
  #block;
  #set;
  #announce;
  #groups;
  #isGiven;
  #cards;
  #list;
  #status;
  #lastMoved;

  constructor({ block, item, id, labelledBy, value, set, announce, unfolded }) {
    this.#block = block;
    this.#set = set;
    this.#announce = announce;
    this.#isGiven = value !== null;
    this.#groups = value ?? item.summaries.map((_, index) => [index]);
    const texts = foldingTexts({ item, id, unfolded });
    this.#cards = texts.map((text, index) => this.#card(index, index ? `${id}-${index}` : id, text));
    this.#list = element("ol", { class: "ranking", "aria-labelledby": labelledBy });
    this.#status = element("div", { class: "row ranking-status" });
    this.node = element("div", {},
      element("p", { class: "hint" },
        gettext("The best one comes first. Drag a summary by its number, or move it with the arrows.")),
      element("p", { class: "hint keys" }, this.#keys()),
      foldAll(texts), this.#list, this.#status);
    this.#render();
  }

  #keys() {
    const keys = { up: keycap("↑"), down: keycap("↓"), first: keycap("1"), equals: keycap("=") };
    return pieces(this.#block.ties
      ? gettext("On a number, %(up)s %(down)s move its summary, %(first)s puts it first, %(equals)s ties it with the one above.")
      : gettext("On a number, %(up)s %(down)s move its summary, %(first)s puts it first."), keys);
  }

  #card(index, id, { name, text }) {
    const grip = element("button", {
      type: "button", id, class: "grip", on: { keydown: (event) => this.#onKey(event, index) },
    });
    const arrow = (step, sign, label) => button(sign, (event) => {
      // The second click of two hits the card that came to stand here.
      if (event.detail > 1 && this.#lastMoved !== index) return;
      this.#change(stepped(this.#groups, index, step), index);
    }, { class: "small arrow", "aria-label": interpolate(label, { number: index + 1 }) });
    const up = arrow(-1, "↑", gettext("Move summary %(number)s up"));
    const down = arrow(1, "↓", gettext("Move summary %(number)s down"));
    const tie = this.#block.ties ? button(gettext("As good as the one above"), () => (
      this.#change(joined(this.#groups, index), index)), { class: "small tie" }) : null;
    const arrows = element("div", { class: "arrows" }, up, down);
    const node = element("li", { class: "rank-card" }, tie,
      element("div", { class: "rank-head" }, grip, name, arrows), text);
    makeDraggable(node, grip, {
      cards: () => [...this.#list.children],
      drop: (position) => this.#change(placed(this.#groups, index, position), index, { stays: false }),
    });
    return { node, grip, up, down, tie };
  }

  #onKey(event, index) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const last = this.#cards.length - 1;
    const actions = {
      ArrowUp: () => stepped(this.#groups, index, -1),
      ArrowDown: () => stepped(this.#groups, index, 1),
      Home: () => placed(this.#groups, index, 0),
      End: () => placed(this.#groups, index, last),
    };
    if (this.#block.ties) actions["="] = () => joined(this.#groups, index);
    for (let rank = 1; rank <= Math.min(9, last + 1); rank += 1) {
      actions[rank] = () => placed(this.#groups, index, rank - 1);
    }
    if (!(event.key in actions)) return;
    event.preventDefault();
    this.#change(actions[event.key](), index);
  }

  // Where a card is moved by steps, it stays where it is on the screen, and the others make way.
  #change(groups, index, { stays = true } = {}) {
    if (!isSame(groups, this.#groups)) {
      const { node } = this.#cards[index];
      const before = node.getBoundingClientRect().top;
      this.#groups = groups;
      this.#lastMoved = index;
      this.#give();
      this.#render();
      if (stays) scrollerOf(node).scrollTop += node.getBoundingClientRect().top - before;
    }
    this.#announce(this.#describe(index));
  }

  #give() {
    this.#isGiven = true;
    this.#set(this.#groups);
  }

  #describe(index) {
    const values = {
      number: index + 1, rank: ranksOf(this.#groups).get(index), count: this.#cards.length,
    };
    const isTied = this.#groups.some((group) => group.includes(index) && group.length > 1);
    return interpolate(isTied ? gettext("Summary %(number)s: rank %(rank)s of %(count)s, shared")
      : gettext("Summary %(number)s: rank %(rank)s of %(count)s"), values);
  }

  #render() {
    const order = this.#groups.flat();
    const nodes = order.map((index) => this.#cards[index].node);
    if (nodes.some((node, position) => this.#list.children[position] !== node)) {
      const focused = document.activeElement;
      this.#list.append(...nodes);
      if (this.#list.contains(focused)) focused.focus({ preventScroll: true });
    }
    const ranks = ranksOf(this.#groups);
    for (const [position, index] of order.entries()) {
      const { node, grip, up, down, tie } = this.#cards[index];
      const isTied = position > 0 && ranks.get(order[position - 1]) === ranks.get(index);
      grip.replaceChildren(
        element("span", { class: "dots", "aria-hidden": "true" }, "⠿"), String(ranks.get(index)));
      grip.setAttribute("aria-label", this.#describe(index));
      node.classList.toggle("tied", isTied);
      const isLast = (step) => isSame(stepped(this.#groups, index, step), this.#groups);
      up.setAttribute("aria-disabled", String(isLast(-1)));
      down.setAttribute("aria-disabled", String(isLast(1)));
      tie?.setAttribute("aria-pressed", String(isTied));
      if (tie) tie.hidden = position === 0;
    }
    this.#list.classList.toggle("given", this.#isGiven);
    this.#showStatus();
  }

  #showStatus() {
    if (this.#isGiven) {
      this.#status.replaceChildren(element("p", { class: "hint" }, gettext("This is your order.")));
      return;
    }
    if (this.#status.hasChildNodes()) return;
    this.#status.replaceChildren(
      element("p", { class: "hint" }, gettext("They are still in random order.")),
      button(gettext("This order is right"), () => {
        this.#give();
        this.#render();
        this.#announce(gettext("This is your order."));
        this.#cards[this.#groups.flat().at(-1)].grip.focus();
      }));
  }
}
