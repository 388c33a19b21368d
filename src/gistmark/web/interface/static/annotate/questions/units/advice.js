// What to say about the content units of a list: too short, too long, the words of another one, or
// the same as another one. Only the last has to be changed; the server refuses it too
// (gistmark/judgements/content_units.py).

import { gettext, interpolate } from "../../translation.js";

const FEWEST_WORDS = 3;
const MOST_WORDS = 25;
// From this share of the words of the shorter one on, two units look like one fact.
const OVERLAP = 0.8;

// For each text {text, same}: a sentence or "", and whether it says the same as an earlier one.
export function adviceOn(texts, lang) {
  const bags = texts.map((text) => wordsOf(text, lang));
  const wordings = texts.map(sameWording);
  return texts.map((text, index) => {
    if (!text.trim()) return { text: "", same: false };
    const first = wordings.indexOf(wordings[index]);
    if (first < index && wordings[index]) {
      return { text: about(first, gettext("This says the same as unit %(number)s. Change or " +
        "delete one of the two.")), same: true };
    }
    return { text: adviceOnOne(bags, index), same: false };
  });
}

function adviceOnOne(bags, index) {
  const count = bags[index].length;
  if (count < FEWEST_WORDS) {
    return gettext("This is very short. Write a full sentence that can be understood alone.");
  }
  if (count > MOST_WORDS) {
    return gettext("This is long. If it says more than one fact, split it.");
  }
  const other = bags.findIndex((bag, each) => each < index && overlap(bag, bags[index]) >= OVERLAP);
  return other < 0 ? "" : about(other, gettext("This has nearly the same words as unit " +
    "%(number)s. Make sure that they are two facts."));
}

function about(index, sentence) {
  return interpolate(sentence, { number: index + 1 });
}

function overlap(one, other) {
  const [words, others] = [new Set(one), new Set(other)];
  const shorter = Math.min(words.size, others.size);
  return shorter ? [...words].filter((word) => others.has(word)).length / shorter : 0;
}

function wordsOf(text, lang) {
  const lower = text.normalize("NFKC").toLowerCase();
  if (!Intl.Segmenter) return lower.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return [...segmenter(lang).segment(lower)].filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => segment);
}

function segmenter(lang) {
  try {
    return new Intl.Segmenter(lang ?? undefined, { granularity: "word" });
  } catch {
    return new Intl.Segmenter(undefined, { granularity: "word" });
  }
}

// What two units have in common that differ in case, space or punctuation at most.
function sameWording(text) {
  return text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{M}\p{N}\p{S}]+/gu, " ").trim();
}
