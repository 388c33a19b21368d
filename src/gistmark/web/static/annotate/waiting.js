// Waiting before the next try: longer each time, and no longer than needed once online again.

const FIRST = 1000;
const LONGEST = 30000;

export class Patience {
  #timer = null;
  #delay = FIRST;

  // Calls `again` after a while, or at once when the browser finds the network.
  retry(again) {
    this.stop();
    const go = () => {
      this.stop();
      again();
    };
    const timer = setTimeout(go, this.#delay);
    window.addEventListener("online", go);
    this.#timer = () => {
      clearTimeout(timer);
      window.removeEventListener("online", go);
    };
    this.#delay = Math.min(2 * this.#delay, LONGEST);
  }

  // All is well: nothing waits, and the next wait is a short one.
  rest() {
    this.stop();
    this.#delay = FIRST;
  }

  stop() {
    this.#timer?.();
    this.#timer = null;
  }
}
