// The words of a text, where the server finds them (gistmark/text/words.py): what white space
// separates. The server counts characters as Python does (code points), JavaScript counts UTF-16
// units; an emoji is one of the first and two of the second.

// Python's white space, which is not quite that of JavaScript's \s.
const WORD = /[^\t\n\v\f\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu;

export function wordsOf(text) {
  const words = [];
  let seen = 0;
  let points = 0;
  for (const match of text.matchAll(WORD)) {
    points += codePoints(text.slice(seen, match.index));
    const start = points;
    points += codePoints(match[0]);
    seen = match.index + match[0].length;
    words.push({ text: match[0], from: match.index, to: seen, start, end: points });
  }
  return words;
}

function codePoints(text) {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

// The first and the last word that a stretch touches, or null where it touches none. `low` and
// `high` name the ends of a word in the same unit as the stretch.
export function touched(words, start, end, low = "from", high = "to") {
  const first = firstIndex(words, (word) => word[high] > start);
  const last = firstIndex(words, (word) => word[low] >= end) - 1;
  return first <= last ? { first, last } : null;
}

function firstIndex(list, holds) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low;
}
