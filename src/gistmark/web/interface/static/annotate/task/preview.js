// What a page that stores no drafts has in their place: a manager's preview, where an answer is only
// checked, or the page on which a right answer is given. And the verdict that ends a preview.

import { element } from "../dom.js";

// In place of LocalCopy (drafts.js): what it holds is gone with the page.
export class NoCopy {
  draft = null;
  key = null;
}

// In place of Drafts (drafts.js): nothing is saved, and nothing is ever in the way.
export class NoDrafts {
  version = 0;
  stopped = false;

  async flush() {
    return true;
  }

  resume() {
    return this.flush();
  }

  end() {}
}

const COLOURS = { accepted: "is-good", flagged: "is-warn", paid: "is-warn", rejected: "is-bad" };

// What would become of the work, and what its annotator would read: in English, for a manager, on a
// page that is in the annotators' language.
export function verdictOf({ outcome, sentence, reasons, message }) {
  return element("div", {
    class: `notice verdict ${COLOURS[outcome]}`, tabindex: "-1", lang: "en", dir: "ltr",
  },
    element("p", {}, element("strong", {}, sentence)),
    reasons.length
      ? element("ul", {}, reasons.map((reason) => element("li", { dir: "auto" }, reason))) : null,
    element("p", {}, "The annotator would read: “",
      element("bdi", { dir: "auto", lang: document.documentElement.lang }, message),
      "” Nothing was stored."));
}
