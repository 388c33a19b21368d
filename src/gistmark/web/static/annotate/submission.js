// Handing in: once, however often the button is pressed or the request is sent again.

import { Unreachable, createKey, send, sentence } from "./server.js";
import { Patience } from "./waiting.js";

export class Submission {
  #address;
  #answer;
  #drafts;
  #keeping;
  #tell;
  #running = false;
  #patience = new Patience();

  // `tell` hears of {state: "sending" | "offline" | "done" | "refused" | "stopped"}.
  constructor({ address, answer, drafts, keeping, tell }) {
    this.#address = address;
    this.#answer = answer;
    this.#drafts = drafts;
    this.#keeping = keeping;
    this.#tell = tell;
    // A changed answer is another attempt: under the old key the server would keep the old one.
    answer.addEventListener("change", () => { keeping.key = null; });
  }

  async start() {
    if (this.#running) return;
    this.#running = true;
    this.#tell({ state: "sending" });
    await this.#try(this.#keeping.key);
  }

  // Without a key the work has not been sent yet: the draft goes first, which also tells whether
  // somebody changed it elsewhere. With a key the server may have the work already.
  async #try(key) {
    if (key === null && !(await this.#drafts.resume())) {
      this.#wait(null);
      return;
    }
    const sent = key ?? createKey();
    this.#keeping.key = sent;
    try {
      const content = { key: sent, answer: this.#answer.toMapping() };
      this.#finish(await send("POST", this.#address, content));
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#wait(sent);
    }
  }

  #wait(key) {
    if (key === null && this.#drafts.stopped) {
      this.#running = false;
      this.#tell({ state: "stopped" });
      return;
    }
    this.#tell({ state: "offline" });
    this.#patience.retry(() => this.#try(key));
  }

  #finish(reply) {
    this.#running = false;
    this.#patience.rest();
    this.#keeping.key = null;
    if (reply.ok) {
      this.#drafts.end();
      this.#tell({ state: "done", ...reply.body });
    } else {
      this.#tell({ state: "refused", message: sentence(reply), faults: reply.body?.faults ?? [] });
    }
  }
}
