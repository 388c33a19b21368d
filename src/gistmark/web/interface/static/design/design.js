// The designer of a form: blocks on one side, what annotators see on the other. What is typed is
// checked as it changes, kept in this browser until it is saved, and saved when the manager says
// so.

import { button, element } from "../annotate/dom.js";
import { Unreachable, send } from "../annotate/server.js";
import { BlockList } from "./blocks.js";
import { Preview } from "./frame.js";
import { inputFor } from "./inputs.js";
import { jsonPart } from "./json.js";
import { menuOf } from "./menu.js";
import { Problems } from "./problems.js";

const PAUSE = 400;

class Designer {
  #root;
  #data;
  #revision;
  #saved;
  #plain;
  #timer = null;
  #turn = 0;
  #kept;

  constructor(root, data) {
    this.#root = root;
    this.#data = data;
    this.#revision = data.revision;
    this.#saved = canonical(data.protocol);
    this.#kept = `gistmark-design-${data.campaign}`;
    this.preview = new Preview(data.addresses.preview);
    this.speaker = element("div", { class: "visually-hidden", "aria-live": "polite" });
    this.notices = element("div", { class: "notices stack" });
    this.settings = element("div", { class: "design-settings" });
    this.blocks = new BlockList({
      types: data.types, editable: data.editable, changed: () => this.#changed(),
      announce: (text) => { this.speaker.textContent = text; },
      showFaults: () => this.problems.show(),
      reveal: (mapping) => this.preview.reveal(mapping.question ?? mapping.text),
    });
    this.problems = new Problems({
      blocks: this.blocks, settings: this.settings,
      turnOff: (check) => {
        this.#plain.checks[check] = "off";
        this.#changed();
      },
    });
    const kept = data.editable ? this.#keptDesign() : null;
    this.#build();
    if (kept !== null) this.#offerKept(kept);
    this.load(data.protocol);
    window.addEventListener("beforeunload", (event) => {
      if (this.isDirty) event.preventDefault();
    });
  }

  get protocol() {
    return { ...this.#plain, blocks: this.blocks.mappings };
  }

  get isDirty() {
    return this.#data.editable && canonical(this.protocol) !== this.#saved;
  }

  // Shows a protocol, such as one that was pasted; it is not saved by that.
  load(protocol) {
    const { blocks, ...plain } = structuredClone(protocol);
    this.#plain = plain;
    this.settings.replaceChildren(...this.#settingsParts());
    this.blocks.set(blocks ?? []);
    this.#changed();
  }

  #build() {
    const { editable, types } = this.#data;
    this.status = element("span", { class: "design-status", role: "status" });
    this.save = button("Save", () => this.#save(), { class: "primary" });
    const editor = element("section", { class: "design-editor", "aria-label": "Design" },
      editable ? element("div", { class: "design-bar" }, this.save, this.status) : null,
      this.notices, this.problems.node, this.settings, element("h2", {}, "Blocks"),
      this.blocks.node, this.blocks.undo,
      editable ? menuOf(types, (start) => this.blocks.add(start)) : null,
      jsonPart(this, { editable }));
    const tabs = this.#tabs();
    this.#root.append(this.speaker, tabs,
      element("div", { class: "design-sides" }, editor, this.preview.node));
  }

  // On a narrow screen one side is shown at a time.
  #tabs() {
    const show = (side) => {
      this.#root.dataset.side = side;
      for (const each of tabs.children) {
        each.setAttribute("aria-pressed", String(each.dataset.side === side));
      }
    };
    const tab = (side, label) => button(label, () => show(side), {
      class: "small", "data-side": side,
    });
    const tabs = element("div", {
      class: "design-tabs", role: "group", "aria-label": "What is shown",
    }, tab("design", "Design"), tab("preview", "Preview"));
    show("design");
    return tabs;
  }

  #settingsParts() {
    const context = { values: this.#plain, path: "", changed: () => this.#changed() };
    const inputs = this.#data.settings.map((each) => inputFor(each, context).node);
    return [element("details", { class: "section" },
      element("summary", {}, "Name, instructions, order and tasks"),
      element("fieldset", { disabled: !this.#data.editable },
        element("legend", { class: "visually-hidden" }, "Settings of the whole form"), inputs))];
  }

  #changed() {
    this.#keep();
    this.#showStatus();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#check(), PAUSE);
  }

  async #check() {
    this.#turn += 1;
    const turn = this.#turn;
    const { protocol } = this;
    this.preview.show(protocol);
    try {
      const { ok, body } = await send("POST", this.#data.addresses.check, protocol);
      if (turn !== this.#turn || !ok) return;
      this.blocks.setValues(body.values);
      this.problems.show(body.faults);
      this.#showStatus();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
    }
  }

  #showStatus() {
    const count = this.problems.shown.length;
    const problems = ["", " One problem to correct."][count] ?? ` ${count} problems to correct.`;
    this.status.textContent = (this.isDirty ? "Not saved yet." : "Saved.") + problems;
  }

  async #save() {
    for (const card of this.blocks.cards) card.fresh = false;
    this.save.disabled = true;
    const { protocol } = this;
    try {
      const headers = this.#revision === null ? {} : { "If-Match": `"${this.#revision}"` };
      const reply = await send("PUT", this.#data.addresses.save, protocol, { headers });
      this.#onReply(reply, canonical(protocol));
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#notice("The server cannot be reached. Your design is kept in this browser; "
        + "save it again later.");
    } finally {
      this.save.disabled = false;
    }
  }

  #onReply({ ok, status, body, headers }, sent) {
    this.notices.replaceChildren();
    if (ok) {
      this.#revision = headers.get("ETag").replaceAll('"', "");
      this.#saved = sent;
      this.#keep();
      this.problems.show([]);
    } else if (body?.faults) {
      this.problems.show(body.faults);
      this.problems.node.focus();
    } else if (status === 409 && body?.revision) {
      this.#notice(body.detail, {
        "Load the newer one": () => this.#discard(),
        "Save mine instead": () => {
          this.#revision = body.revision;
          this.#save();
        },
      });
    } else {
      this.#notice(body?.detail ?? `The server refused the design (${status}).`);
    }
    this.#showStatus();
    this.#check();
  }

  #notice(sentence, actions = {}) {
    const notice = element("div", { class: "notice is-warn", role: "alert", tabindex: "-1" },
      element("p", {}, sentence),
      element("div", { class: "row" },
        Object.entries(actions).map(([label, act]) => button(label, act, { class: "small" }))));
    this.notices.replaceChildren(notice);
    notice.focus();
  }

  #discard() {
    this.#saved = canonical(this.protocol);
    this.#keep();
    location.reload();
  }

  // What is not saved stays in this browser, should the page be closed.
  #keep() {
    try {
      if (this.isDirty) {
        const kept = { protocol: this.protocol, revision: this.#revision };
        localStorage.setItem(this.#kept, JSON.stringify(kept));
      } else if (!this.notices.querySelector(".kept")) {
        localStorage.removeItem(this.#kept);
      }
    } catch {
      // A browser that keeps nothing: leaving the page warns all the same.
    }
  }

  #offerKept(kept) {
    const leave = () => {
      this.notices.replaceChildren();
      this.#keep();
    };
    this.notices.replaceChildren(element("div", { class: "notice is-warn kept" },
      element("p", {}, "This browser has changes to this design that were not saved."),
      element("div", { class: "row" },
        button("Bring them back", () => {
          this.#revision = kept.revision;
          this.load(kept.protocol);
          leave();
        }, { class: "small" }),
        button("Throw them away", leave, { class: "small quiet" }))));
  }

  #keptDesign() {
    try {
      const kept = JSON.parse(localStorage.getItem(this.#kept));
      return kept && canonical(kept.protocol) !== this.#saved ? kept : null;
    } catch {
      return null;
    }
  }
}

// A value as text that is the same whatever the order of an object's fields.
function canonical(value) {
  return JSON.stringify(value, (_, each) => (
    each !== null && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))) : each));
}

const root = document.getElementById("designer");
new Designer(root, JSON.parse(document.getElementById("design-data").textContent));
