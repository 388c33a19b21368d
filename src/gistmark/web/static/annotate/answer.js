// The answer to a task as it grows, in the form that the server reads
// (gistmark/judgements/answers.py). Every change fires "change".

// The server takes no longer log of moves than this.
const MOST_MOVES = 20000;

export class Answer extends EventTarget {
  #items;
  #reply;
  #moves;
  #clock;

  constructor(keys, clock, draft = {}) {
    super();
    this.#clock = clock;
    this.#items = new Map(keys.map((key) => [key, readItem(draft.items?.[key] ?? {})]));
    this.#reply = draft.reply ?? null;
    this.#moves = [...(draft.moves ?? [])];
  }

  rating(key, dimension, part = "value") {
    return this.#items.get(key).ratings[dimension]?.[part] ?? null;
  }

  rate(key, dimension, part, value) {
    const { ratings } = this.#items.get(key);
    ratings[dimension] = { ...ratings[dimension], [part]: value };
    this.#changed();
  }

  choice(key, dimension) {
    return this.#items.get(key).choices[dimension] ?? null;
  }

  choose(key, dimension, side) {
    this.#items.get(key).choices[dimension] = side;
    this.#changed();
  }

  highlights(key) {
    return this.#items.get(key).highlights;
  }

  highlight(key, marks) {
    this.#items.get(key).highlights = marks;
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
    for (const [key, { ratings, choices, highlights }] of this.#items) {
      items[key] = { seconds: this.#clock.secondsOf(key) };
      if (Object.keys(ratings).length) items[key].ratings = ratings;
      if (Object.keys(choices).length) items[key].choices = choices;
      if (highlights !== null) items[key].highlights = highlights;
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
  const said = sorted(items).map(([key, item]) => {
    const { ratings, choices, highlights } = readItem(item);
    const rated = sorted(ratings).map(([name, given]) => [name, sorted(given)])
      .filter(([, given]) => given.length);
    return [key, rated, sorted(choices), highlights];
  });
  return [said.filter(([, ...parts]) => parts.some((part) => part?.length)), reply];
}

function sorted(record) {
  return Object.entries(record).filter(([, value]) => value !== null)
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

function readItem({ ratings, choices, highlights }) {
  const marks = highlights?.map(({ start, end }) => ({ start, end })) ?? null;
  return { ratings: structuredClone(ratings ?? {}), choices: { ...choices }, highlights: marks };
}
