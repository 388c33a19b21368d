// Comments and reports of problems: about the item on the screen, or about the whole task. They are
// sent apart from the answer, each once, and wait in this browser while the server cannot be reached.

import { button, element } from "../dom.js";
import { Retry, Unreachable, createKey, send, sentence } from "../server.js";
import { gettext } from "../translation.js";

const LONGEST = 2000;
const KINDS = { comment: gettext("Comment"), problem: gettext("Problem") };

export class Comments {
  #address;
  #local;
  #sent;
  #waiting;
  #typed;
  #boxes = [];
  #retry = new Retry();
  #sending = false;

  // `sent` are those that the server has: [{item, kind, text}].
  constructor({ address, local, sent = [] }) {
    this.#address = address;
    this.#local = local;
    this.#sent = [...sent];
    const kept = local.comments ?? {};
    this.#waiting = kept.waiting ?? [];
    this.#typed = kept.typed ?? {};
    this.#send();
  }

  // Where comments are written and listed on a screen.
  box({ item }, number) {
    const id = `comment-${number}`;
    const box = this.#boxOf(item?.key ?? "", id);
    this.#boxes.push(box);
    this.#list(box);
    return element("details", { class: "comments", open: Boolean(box.text.value) },
      element("summary", {}, gettext("Comment or report a problem")),
      element("p", { class: "hint" }, item
        ? gettext("Whoever runs the campaign reads it. It does not change your answers.")
        : gettext("About the task as a whole. Whoever runs the campaign reads it.")),
      element("div", { class: "row", role: "radiogroup", "aria-label": gettext("What it is") },
        box.kinds),
      element("label", { for: id }, gettext("What you want to say")),
      box.text,
      button(gettext("Send"), () => this.#add(box), { class: "small" }),
      box.message, box.list);
  }

  #boxOf(key, id) {
    const typed = this.#typed[key] ?? {};
    const keep = () => {
      this.#typed[key] = { kind: kindOf(box), text: box.text.value };
      this.#keep();
    };
    const kinds = Object.entries(KINDS).map(([kind, name]) => element("label", {},
      element("input", {
        type: "radio", name: `${id}-kind`, value: kind, on: { change: keep },
        checked: kind === (typed.kind ?? "comment"),
      }), name));
    const text = element("textarea", {
      id, rows: 3, maxlength: LONGEST, dir: "auto", on: { input: keep },
    });
    text.value = typed.text ?? "";
    const message = element("p", { class: "hint", role: "status" });
    const box = { key, kinds, text, message, list: element("ul", {}) };
    return box;
  }

  #add(box) {
    const text = box.text.value.trim();
    if (!text) {
      box.message.textContent = gettext("Write something first.");
      box.text.focus();
      return;
    }
    this.#waiting.push({ key: createKey(), item: box.key, kind: kindOf(box), text });
    delete this.#typed[box.key];
    box.text.value = "";
    this.#keep();
    this.#send();
  }

  // One after another, in the order in which they were written.
  async #send() {
    if (this.#sending || !this.#waiting.length) return;
    const [first] = this.#waiting;
    this.#sending = true;
    this.#say(first.item, gettext("Sending…"));
    try {
      this.#answered(first, await send("POST", this.#address, first));
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#say(first.item,
        gettext("The server cannot be reached. It is kept here and sent as soon as it can be."));
      this.#retry.later(() => this.#send());
    } finally {
      this.#sending = false;
    }
    if (!this.#retry.waits) this.#send();
  }

  #answered(comment, reply) {
    if (reply.status === 401) {
      this.#say(comment.item, sentence(reply));
      this.#retry.later(() => this.#send());
      return;
    }
    this.#waiting.shift();
    this.#retry.rest();
    if (reply.ok) this.#sent.push(comment);
    else this.#bringBack(comment);
    this.#keep();
    this.#say(comment.item, reply.ok ? gettext("Sent. Thank you.") : sentence(reply));
  }

  // What the server does not take goes back to where it was written.
  #bringBack({ item, kind, text: written }) {
    this.#typed[item] = { kind, text: written };
    for (const { key, text } of this.#boxes) if (key === item && !text.value) text.value = written;
  }

  #say(item, words) {
    for (const box of this.#boxes.filter(({ key }) => key === item)) {
      box.message.textContent = words;
      this.#list(box);
    }
  }

  #list({ key, list }) {
    const own = [...this.#sent, ...this.#waiting].filter(({ item }) => item === key);
    list.replaceChildren(...own.map(({ kind, text }) => element("li", {},
      element("span", { class: "badge" }, KINDS[kind]), " ",
      element("span", { dir: "auto" }, text))));
  }

  #keep() {
    const empty = !this.#waiting.length && !Object.values(this.#typed).some(({ text }) => text);
    this.#local.comments = empty ? null : { waiting: this.#waiting, typed: this.#typed };
  }
}

function kindOf({ kinds }) {
  return kinds.map((label) => label.firstChild).find(({ checked }) => checked).value;
}
