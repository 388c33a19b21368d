// The answer to a task as it grows, in the form that the server reads
// (gistmark/judgements/answers.py), and the clock that times it.

// The server takes no longer log of moves than this.
const MOST_MOVES = 20000;

// What is answered about each item is in parts, which belong to the question type, such as
// `ratings`. Every change fires "change".
export class Answer extends EventTarget {
  #items;
  #reply;
  #moves;
  #clock;

  constructor(keys, clock, draft = {}) {
    super();
    this.#clock = clock;
    this.#items = new Map(keys.map((key) => [key, partsOf(draft.items?.[key] ?? {})]));
    this.#reply = draft.reply ?? null;
    this.#moves = [...(draft.moves ?? [])];
  }

  // A part of the answer about an item, or null where nothing is answered yet.
  part(key, name) {
    return this.#items.get(key)[name] ?? null;
  }

  setPart(key, name, value) {
    this.#items.get(key)[name] = value;
    this.#changed();
  }

  get reply() {
    return this.#reply;
  }

  set reply(value) {
    this.#reply = value;
    this.#changed();
  }

  // Notes that a control has come to rest at a value.
  move(key, control, value) {
    if (this.#moves.length >= MOST_MOVES) return;
    this.#moves.push({ at: this.#clock.seconds, item: key, control, value });
    this.#changed();
  }

  // Where a control was left, or null where it was never moved.
  lastMove(key, control) {
    const last = this.#moves.findLast((move) => move.item === key && move.control === control);
    return last?.value ?? null;
  }

  toMapping() {
    const items = {};
    for (const [key, parts] of this.#items) {
      items[key] = { seconds: this.#clock.secondsOf(key), ...parts };
    }
    const answer = { items, seconds: this.#clock.seconds, moves: this.#moves };
    if (this.#reply !== null) answer.reply = this.#reply;
    return structuredClone(answer);
  }

  #changed() {
    this.dispatchEvent(new Event("change"));
  }
}

// Whether two answers say the same, however long they took to give.
export function sameMeaning(one, other) {
  return JSON.stringify(meaning(one)) === JSON.stringify(meaning(other));
}

function meaning(answer) {
  const { items = {}, reply = null } = answer ?? {};
  const parts = Object.entries(items).map(([key, item]) => [key, withNones(partsOf(item))]);
  return canonical({ items: Object.fromEntries(parts), reply });
}

// To a question of a form, an empty list is an answer: none of the options.
function withNones({ answers = {}, ...parts }) {
  const given = Object.entries(answers)
    .map(([name, value]) => [name, Array.isArray(value) && !value.length ? "none" : value]);
  return { ...parts, answers: Object.fromEntries(given) };
}

// The same for all that means the same: keys in order, and nothing that is null or empty.
function canonical(value) {
  if (Array.isArray(value)) return value.length ? value.map(canonical) : null;
  if (value === null || typeof value !== "object") return value ?? null;
  const entries = Object.entries(value).map(([name, each]) => [name, canonical(each)])
    .filter(([, each]) => each !== null)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  return entries.length ? entries : null;
}

function partsOf({ seconds, ...parts }) {
  return structuredClone(parts);
}

// Without any sign of a person for so many seconds, nobody counts as being there.
const LONGEST_PAUSE = 120;
const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "scroll", "touchstart", "input"];

// How long the work takes: seconds in all and for each item, while the page can be seen and
// somebody is there. Fires "resume" when somebody comes back whose pause was cut off.
export class Clock extends EventTarget {
  #active = performance.now();
  #seconds;
  #ofItems;
  #shown = null;
  #since = null;

  // What an earlier sitting took is counted on.
  constructor(draft = {}) {
    super();
    this.#seconds = draft.seconds ?? 0;
    this.#ofItems = new Map(Object.entries(draft.items ?? {})
      .map(([key, item]) => [key, item.seconds ?? 0]));
    document.addEventListener("visibilitychange", () => this.#turn());
    for (const sign of SIGNS) {
      document.addEventListener(sign, () => this.#notice(), { capture: true, passive: true });
    }
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
    this.#active = performance.now();
    this.#since = document.visibilityState === "visible" ? this.#active : null;
  }

  #notice() {
    const away = performance.now() - this.#active;
    this.#count();
    this.#active = performance.now();
    if (this.#since !== null && away > 1000 * LONGEST_PAUSE) this.dispatchEvent(new Event("resume"));
  }

  #count() {
    if (this.#since === null) return;
    const now = performance.now();
    const end = Math.min(now, this.#active + 1000 * LONGEST_PAUSE);
    const passed = Math.max(0, end - this.#since) / 1000;
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
