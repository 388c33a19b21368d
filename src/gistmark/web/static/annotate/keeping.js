// What the server has not acknowledged yet, kept in this browser until it has: the draft, and the
// key under which the work was handed in.

export class Keeping {
  #draft;
  #key;

  // The user's id is part of the name: a task may come to somebody else on the same device.
  constructor(user, task) {
    this.#draft = `gistmark.draft.${user}.${task}`;
    this.#key = `gistmark.key.${user}.${task}`;
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
