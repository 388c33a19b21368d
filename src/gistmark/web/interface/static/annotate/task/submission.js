// Submitting: once, however often the button is pressed or the request is sent again.

import { Retry, Unreachable, createKey, send, sentence } from "../server.js";

export class Submission {
  #address;
  #answer;
  #drafts;
  #local;
  #report;
  #extra;
  #running = false;
  #retry = new Retry();

  // `report` is called with {state: "sending" | "offline" | "done" | "refused" | "stopped"}.
  // `extra` is sent beside the answer.
  constructor({ address, answer, drafts, local, report, extra = {} }) {
    this.#extra = extra;
    this.#address = address;
    this.#answer = answer;
    this.#drafts = drafts;
    this.#local = local;
    this.#report = report;
    // A changed answer is another attempt: under the old key the server would keep the old one.
    answer.addEventListener("change", () => { local.key = null; });
  }

  async start() {
    if (this.#running) return;
    this.#running = true;
    this.#report({ state: "sending" });
    await this.#try(this.#local.key);
  }

  // Without a key the work has not been sent yet: the draft goes first, which also tells whether
  // somebody changed it elsewhere. With a key the server may have the work already.
  async #try(key) {
    if (key === null && !(await this.#drafts.resume())) {
      this.#wait(null);
      return;
    }
    const sent = key ?? createKey();
    this.#local.key = sent;
    try {
      const content = { ...this.#extra, key: sent, answer: this.#answer.toMapping() };
      this.#finish(await send("POST", this.#address, content));
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#wait(sent);
    }
  }

  #wait(key) {
    if (key === null && this.#drafts.stopped) {
      this.#running = false;
      this.#report({ state: "stopped" });
      return;
    }
    this.#report({ state: "offline" });
    this.#retry.later(() => this.#try(key));
  }

  #finish(reply) {
    this.#running = false;
    this.#retry.rest();
    this.#local.key = null;
    if (reply.ok) {
      this.#drafts.end();
      this.#report({ state: "done", ...reply.body });
    } else {
      const { status, body } = reply;
      this.#report({ state: "refused", status, message: sentence(reply), faults: body?.faults ?? [] });
    }
  }
}
