// The content units that an annotator writes: a list of texts for each reference, with steps back.
// Empty ones are only on the page; the answer is without them.

// What is typed in a unit with pauses of at most so many milliseconds is undone as one step.
const BURST = 1500;

export class Notebook {
  #past = [];
  #future = [];
  #burst = null;

  // `units` are those of the answer, [{text, reference}]; every list has a unit to type in.
  constructor(count, units) {
    this.lists = Array.from({ length: count }, (_, reference) => units
      .filter((unit) => unit.reference === reference).map(({ text }) => text));
    this.#fill();
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  // Typing: what is typed in one go is one step back.
  write(list, index, text) {
    const now = Date.now();
    const same = this.#burst?.list === list && this.#burst.index === index
      && now - this.#burst.at < BURST;
    if (!same) this.#keep();
    this.#burst = { list, index, at: now };
    this.lists[list][index] = text;
  }

  // Puts units below one.
  insert(list, index, texts) {
    this.#change(() => this.lists[list].splice(index + 1, 0, ...texts));
  }

  // Puts units in place of one.
  replace(list, index, texts) {
    this.#change(() => this.lists[list].splice(index, 1, ...texts));
  }

  remove(list, index) {
    this.replace(list, index, []);
  }

  // One unit and the one above it become one.
  join(list, index) {
    const both = this.lists[list].slice(index - 1, index + 1).map((text) => text.trim());
    this.#change(() => this.lists[list].splice(index - 1, 2, both.filter(Boolean).join(" ")));
  }

  move(list, index, by) {
    this.#change(() => {
      const [text] = this.lists[list].splice(index, 1);
      this.lists[list].splice(index + by, 0, text);
    });
  }

  undo() {
    return this.#travel(this.#past, this.#future);
  }

  redo() {
    return this.#travel(this.#future, this.#past);
  }

  toMapping() {
    return this.lists.flatMap((texts, reference) => texts.filter((text) => text.trim())
      .map((text) => ({ text: text.trim(), reference })));
  }

  #change(edit) {
    this.#keep();
    edit();
    this.#fill();
  }

  #keep() {
    this.#past.push(structuredClone(this.lists));
    this.#future = [];
    this.#burst = null;
  }

  #fill() {
    for (const texts of this.lists) if (!texts.length) texts.push("");
  }

  #travel(from, to) {
    if (!from.length) return false;
    to.push(this.lists);
    this.lists = from.pop();
    this.#burst = null;
    return true;
  }
}

// Where to cut a text in two: at the cursor, else near its middle, best after a comma.
export function halves(text, cursor = null) {
  const at = cursor > 0 && text.slice(0, cursor).trim() && text.slice(cursor).trim()
    ? cursor : middleOf(text);
  return [text.slice(0, at), text.slice(at)].map((half) => half.trim()).filter(Boolean);
}

function middleOf(text) {
  const cuts = (pattern) => [...text.matchAll(pattern)].map(({ index, 0: cut }) => index + cut.length);
  const inner = (cut) => text.slice(0, cut).trim() && text.slice(cut).trim();
  const candidates = [/[,;:，；、،؛]\s*/gu, /\s+/gu].map((pattern) => cuts(pattern).filter(inner))
    .find((each) => each.length) ?? [Math.ceil(text.length / 2)];
  const distance = (cut) => Math.abs(cut - text.length / 2);
  return candidates.reduce((best, cut) => (distance(cut) < distance(best) ? cut : best));
}
