// Saving during the work: a moment after each change, when the page is left, and again and again
// while the server cannot be reached. Whoever saved last in another tab or on another device is
// noticed by the version that the server counts.

import { sameMeaning } from "../answer.js";
import { Retry, Unreachable, send, sentence } from "../server.js";

const PAUSE = 1000;

export class Drafts {
  #answer;
  #address;
  #local;
  #report;
  #version;
  #dirty = false;
  #stopped = false;
  #yielded = false;
  #sent = [];
  #saving = null;
  #timer = null;
  #retry = new Retry();

  // `report` is called with {state: "changed" | "saving" | "saved" | "offline" | "conflict" | "refused"}.
  constructor({ answer, address, version, local, report }) {
    this.#answer = answer;
    this.#address = address;
    this.#version = version;
    this.#local = local;
    this.#report = report;
    answer.addEventListener("change", () => this.#changed());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden") this.#leave();
    });
    window.addEventListener("pagehide", () => this.#leave());
  }

  get version() {
    return this.#version;
  }

  // Whether saving has ended: somebody else wrote, or the server no longer takes drafts.
  get stopped() {
    return this.#stopped;
  }

  // Saves at once what is there; whether the server has it now, and nobody else wrote meanwhile.
  async flush() {
    await this.#saving;
    if (this.#stopped) return false;
    this.#dirty = true;
    await this.#save();
    return !this.#stopped && !this.#dirty;
  }

  // The work is submitted, or somebody else's counts: nothing more is saved or kept.
  end() {
    this.#stop();
    this.#yielded = true;
    this.#local.draft = null;
  }

  // Goes on with what is on this page, over what somebody saved elsewhere.
  keepMine(version) {
    this.#version = version;
    return this.resume();
  }

  // Saves at once, even if the server refused before or somebody else wrote.
  resume() {
    this.#stopped = false;
    this.#yielded = false;
    return this.flush();
  }

  #stop() {
    this.#stopped = true;
    this.#retry.stop();
    clearTimeout(this.#timer);
  }

  #changed() {
    this.#dirty = true;
    this.#keep();
    if (this.#stopped) return;
    this.#report({ state: "changed" });
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#save(), PAUSE);
  }

  // What is not saved yet is sent while the page can still do so. The time since the last change
  // is only kept here: saving it would make this page the newest one, which it need not be.
  #leave() {
    this.#keep();
    this.#save({ keepalive: true });
  }

  #keep() {
    if (this.#yielded) return;
    const kept = { version: this.#version, answer: this.#answer.toMapping(), sent: this.#sent };
    this.#local.draft = kept;
  }

  #save(options) {
    if (this.#stopped || !this.#dirty) return this.#saving;
    this.#saving ??= this.#send(options).finally(() => { this.#saving = null; });
    return this.#saving;
  }

  async #send(options) {
    clearTimeout(this.#timer);
    const sent = this.#answer.toMapping();
    this.#dirty = false;
    if (!isOneOf(sent, this.#sent)) this.#sent.push(sent);
    this.#keep();
    this.#report({ state: "saving" });
    try {
      const content = { answer: sent, version: this.#version };
      const reply = await send("PUT", this.#address, content, options);
      if (reply.ok) this.#saved(reply.body);
      else if (reply.body?.version !== undefined) this.#reconcile(reply.body);
      else this.#refused(reply);
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      this.#dirty = true;
      this.#report({ state: "offline" });
      this.#retry.later(() => this.#save());
    }
  }

  #saved({ version, saved_at: at }) {
    this.#version = version;
    this.#sent = [];
    this.#retry.rest();
    if (this.#dirty) {
      this.#keep();
      this.#timer = setTimeout(() => this.#save(), PAUSE);
    } else {
      this.#local.draft = null;
      this.#report({ state: "saved", at: new Date(at) });
    }
  }

  // Another version is on the server. It may be our own, whose acknowledgement was lost.
  #reconcile({ draft, version }) {
    if (isOneOf(draft, this.#sent)) {
      this.#dirty ||= !sameMeaning(draft, this.#sent.at(-1));
      this.#saved({ version, saved_at: Date.now() });
      return;
    }
    this.end();
    this.#report({ state: "conflict", version });
  }

  #refused(reply) {
    this.#stop();
    const { status, body } = reply;
    this.#report({ state: "refused", status, message: sentence(reply), faults: body?.faults ?? [] });
  }
}

function isOneOf(answer, sent) {
  return sent.some((each) => sameMeaning(answer, each));
}

// What to begin with: what the server has, or what this browser kept because the server never
// acknowledged it. What was saved elsewhere since is newer than what was kept. `unsaved` tells
// whether the server lacks something.
export function beginning(served, kept) {
  const builds = ({ version, sent }) => version === served.version || isOneOf(served.draft, sent);
  if (kept === null || !builds(kept)) return { draft: served.draft ?? {}, unsaved: false };
  return { draft: kept.answer, unsaved: !sameMeaning(kept.answer, served.draft) };
}

// What the server has not acknowledged yet, stored in this browser until it has: the draft, and
// the key under which the work was submitted.
export class LocalCopy {
  #draft;
  #key;
  #comments;

  // The user's id is part of the name: a task may come to somebody else on the same device.
  constructor(user, task) {
    this.#draft = `gistmark.draft.${user}.${task}`;
    this.#key = `gistmark.key.${user}.${task}`;
    this.#comments = `gistmark.comments.${user}.${task}`;
  }

  // Whether this browser keeps anything at all.
  get works() {
    const probe = "gistmark.probe";
    write(probe, true);
    const kept = read(probe) === true;
    write(probe, null);
    return kept;
  }

  // {version, answer, sent}: the server's version that `answer` builds on, and the answers that
  // were sent without a reply; null where nothing is kept.
  get draft() {
    return read(this.#draft);
  }

  set draft(kept) {
    write(this.#draft, kept);
  }

  get key() {
    return read(this.#key);
  }

  set key(key) {
    write(this.#key, key);
  }

  // {waiting, typed}: the comments that the server lacks, and what is typed but not sent.
  get comments() {
    return read(this.#comments);
  }

  set comments(kept) {
    write(this.#comments, kept);
  }
}

function read(name) {
  try {
    return JSON.parse(localStorage.getItem(name));
  } catch {
    return null;
  }
}

function write(name, value) {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage is full or forbidden: the page itself still has everything.
  }
}
