// How long the work takes: seconds in all and for each item, while the page can be seen.

export class Clock {
  #seconds;
  #ofItems;
  #shown = null;
  #since = null;

  // What an earlier sitting took is counted on.
  constructor(draft = {}) {
    this.#seconds = draft.seconds ?? 0;
    this.#ofItems = new Map(Object.entries(draft.items ?? {})
      .map(([key, item]) => [key, item.seconds ?? 0]));
    document.addEventListener("visibilitychange", () => this.#turn());
    this.#turn();
  }

  // From now on this item is on the screen; null is for a screen that belongs to none.
  show(key) {
    this.#count();
    this.#shown = key;
  }

  get seconds() {
    this.#count();
    return rounded(this.#seconds);
  }

  secondsOf(key) {
    this.#count();
    return rounded(this.#ofItems.get(key) ?? 0);
  }

  #turn() {
    this.#count();
    this.#since = document.visibilityState === "visible" ? performance.now() : null;
  }

  #count() {
    if (this.#since === null) return;
    const now = performance.now();
    const passed = (now - this.#since) / 1000;
    this.#since = now;
    this.#seconds += passed;
    if (this.#shown !== null) {
      this.#ofItems.set(this.#shown, (this.#ofItems.get(this.#shown) ?? 0) + passed);
    }
  }
}

function rounded(seconds) {
  return Math.round(seconds * 10) / 10;
}
