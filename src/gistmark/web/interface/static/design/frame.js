// The preview: the annotators' own page in a frame, under the design as it is now.

import { button, element } from "../annotate/dom.js";

export class Preview {
  #address;
  #number = 1;
  #count = 1;
  #sent = "";
  #waiting = null;
  #text = "";
  #again = false;

  constructor(address) {
    this.#address = address;
    this.frames = element("div", { class: "frames" });
    this.counter = element("span", { class: "hint", "aria-live": "polite" });
    this.back = button("Previous task", () => this.#go(-1), { class: "small" });
    this.next = button("Next task", () => this.#go(1), { class: "small" });
    this.node = element("section", {
      class: "design-preview", "aria-labelledby": "preview-heading",
    }, element("div", { class: "spread" },
        element("h2", { id: "preview-heading" }, "What annotators see"),
        element("div", { class: "row" }, this.counter, this.back, this.next)),
      this.frames);
    this.#label();
  }

  // Shows a task under this protocol; the same one again changes nothing. One is loaded at a time.
  show(protocol) {
    const written = JSON.stringify(protocol);
    if (written === this.#sent) return;
    this.#sent = written;
    if (this.#waiting === null) this.#load();
    else this.#again = true;
  }

  // Shows the part of the page that has this text.
  reveal(text) {
    this.#text = text ?? "";
    const [frame] = this.frames.children;
    if (frame && frame !== this.#waiting) scroll(frame, this.#text, null);
  }

  #go(by) {
    this.#number += by;
    this.#load();
  }

  // A new frame is loaded behind the old one and takes its place once it is there, so that nothing
  // flickers and the browser's Back does not step through earlier previews.
  #load() {
    this.#again = false;
    this.#waiting?.remove();
    const name = `preview-${Date.now()}-${Math.random()}`;
    const frame = element("iframe", { name, title: "The annotators' page", class: "is-loading" });
    this.#waiting = frame;
    this.frames.append(frame);
    const token = document.querySelector("input[name=csrfmiddlewaretoken]").value;
    const form = element("form", {
      method: "post", action: this.#address, target: name, hidden: true,
    }, hidden("csrfmiddlewaretoken", token), hidden("task", String(this.#number)),
    hidden("protocol", this.#sent));
    document.body.append(form);
    frame.addEventListener("load", () => this.#onLoad(frame));
    form.submit();
    form.remove();
  }

  #onLoad(frame) {
    if (frame !== this.#waiting || isBlank(frame)) return;
    this.#waiting = null;
    // Without a network, or logged out, the earlier preview stays.
    if (frame.contentDocument === null) {
      frame.remove();
      this.#sent = "";
      return;
    }
    const [old] = [...this.frames.children].filter((each) => each !== frame);
    const top = old?.contentWindow?.scrollY ?? 0;
    frame.classList.remove("is-loading");
    for (const each of [...this.frames.children]) if (each !== frame) each.remove();
    const seen = frame.contentDocument.getElementById("seen");
    if (seen) {
      this.#number = Number(seen.dataset.number);
      this.#count = Number(seen.dataset.count);
      scrollOnceBuilt(frame, this.#text, top);
    } else if (this.#number > 1) {
      this.#number = 1;
      this.#load();
    }
    this.#label();
    if (this.#again) this.#load();
  }

  #label() {
    this.counter.textContent = `Task ${this.#number} of ${this.#count}`;
    this.back.disabled = this.#number <= 1;
    this.next.disabled = this.#number >= this.#count;
  }
}

// Whether a frame has not got its page yet. What comes from elsewhere cannot be looked at.
function isBlank({ contentDocument }) {
  return contentDocument?.URL === "about:blank";
}

function scrollOnceBuilt(frame, text, top, tries = 20) {
  if (!frame.isConnected) return;
  if (frame.contentDocument.querySelector(".foot") || tries === 0) scroll(frame, text, top);
  else setTimeout(() => scrollOnceBuilt(frame, text, top, tries - 1), 50);
}

// To the question or note with this text, or else to where the frame before was scrolled.
function scroll({ contentDocument, contentWindow }, text, top) {
  const texts = [...contentDocument.querySelectorAll(".form-question legend > span, .form .note")];
  const part = text ? texts.find((each) => each.textContent === text) : undefined;
  const shown = part?.closest(".form-question") ?? part;
  if (!shown) {
    if (top !== null) contentWindow.scrollTo(0, top);
    return;
  }
  // Only the frame moves; scrollIntoView would move the designer, too.
  const box = shown.getBoundingClientRect();
  const { scrollY, innerHeight } = contentWindow;
  contentWindow.scrollTo(0, scrollY + box.top - (innerHeight - box.height) / 2);
}

function hidden(name, value) {
  return element("input", { type: "hidden", name, value });
}
