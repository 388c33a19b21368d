// Rankings as groups of indices, the best first; a group of several is a tie. Nothing is changed,
// every function returns new groups.

export function ranksOf(groups) {
  const ranks = new Map();
  for (const group of groups) {
    const rank = ranks.size + 1;
    for (const index of group) ranks.set(index, rank);
  }
  return ranks;
}

// One step up (-1) or down (1): out of a tie, or past the neighbours.
export function stepped(groups, index, step) {
  const at = groups.findIndex((group) => group.includes(index));
  const isTied = groups[at].length > 1;
  const to = isTied ? at + (step > 0 ? 1 : 0) : at + step;
  if (to < 0 || (!isTied && to >= groups.length)) return groups;
  return without(groups, index).toSpliced(to, 0, [index]);
}

// To a position among all summaries; between two that are tied, it is tied with them.
export function placed(groups, index, position) {
  const rest = without(groups, index);
  let before = 0;
  for (const [at, group] of rest.entries()) {
    if (position <= before) return rest.toSpliced(at, 0, [index]);
    if (position < before + group.length) {
      return rest.with(at, group.toSpliced(position - before, 0, index));
    }
    before += group.length;
  }
  return [...rest, [index]];
}

// Tied with the one above, or, where it is so, no more.
export function joined(groups, index) {
  const at = groups.findIndex((group) => group.includes(index));
  const inside = groups[at].indexOf(index);
  if (inside > 0) {
    return groups.toSpliced(at, 1, groups[at].slice(0, inside), groups[at].slice(inside));
  }
  return at === 0 ? groups : groups.toSpliced(at - 1, 2, [...groups[at - 1], ...groups[at]]);
}

export function isSame(groups, others) {
  return JSON.stringify(groups) === JSON.stringify(others);
}

function without(groups, index) {
  return groups.map((group) => group.filter((each) => each !== index))
    .filter((group) => group.length > 0);
}
