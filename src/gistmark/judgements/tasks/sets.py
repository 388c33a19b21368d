"""Sets: which systems' summaries of one document are ranked together.

An incomplete block design: no two sets of a document are the same, each system is in as many sets
as any other or in one more, and the pairs of systems meet about equally often. The design is
searched for once for each number of systems; every document assigns its systems to it anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from math import comb

from gistmark.runtime.seeds import generator

MOST_IN_A_SET = 10
"""Nobody can rank more summaries than this with care."""
MOST_SETS_PER_SYSTEM = 100

_EXCHANGES = 20_000
"""How many exchanges are tried to make the pairs meet equally often."""

Design = tuple[tuple[int, ...], ...]


def sets_of(
    document: str, systems: Sequence[str], size: int, per_system: int
) -> tuple[tuple[str, ...], ...]:
    """The sets of a document's systems, in the order of their names.

    Each system is in `per_system` of them; where the numbers do not work out, some are in one
    more. Who meets whom depends on the name of the document. Where there are not more systems than
    `size`, they are one set. There are never more sets than different ones.

    >>> from gistmark.judgements.tasks.sets import sets_of
    >>> sets_of("bridge", ["a", "b", "c", "d"], 2, 1)
    (('a', 'd'), ('b', 'c'))
    """
    names = sorted(systems)
    if len(names) <= size:
        return (tuple(names),)
    order = generator(0, "sets", document).permutation(len(names)).tolist()
    designed = design(len(names), size, per_system)
    sets = (sorted(names[order[index]] for index in members) for members in designed)
    return tuple(sorted(map(tuple, sets)))


def count_sets(systems: int, size: int, per_system: int) -> int:
    """How many sets a document with so many systems has."""
    if systems <= size:
        return 1
    return min(-(-systems * per_system // size), comb(systems, size))


@lru_cache(maxsize=256)
def design(systems: int, size: int, per_system: int) -> Design:
    """The sets of the systems 0, 1, ..., of which there are more than `size`.

    Where more than half of all sets are wanted, those to leave out are searched for.
    """
    count, every = count_sets(systems, size, per_system), comb(systems, size)
    if 2 * count <= every:
        return _searched(systems, size, count)
    left_out = set(_searched(systems, size, every - count))
    return tuple(each for each in combinations(range(systems), size) if each not in left_out)


def _searched(systems: int, size: int, count: int) -> Design:
    """`count` different sets: dealt out evenly, then improved by exchanges between two sets."""
    rng = generator(0, "design", systems, size, count)
    search = _Search(systems)
    for _ in range(count):
        search.deal(size, rng.permutation(systems).tolist())
    least = search.least
    if count > 1:
        for first, i, second, j in rng.integers(
            0, (count, size, count, size), (_EXCHANGES, 4)
        ).tolist():
            if search.squares == least and len(search.copies) == count:
                break
            search.exchange(search.sets[first], i, search.sets[second], j)
    return tuple(tuple(sorted(members)) for members in search.sets)


class _Search:
    """Sets of systems, how often each pair meets, and the sum of the squares of these numbers.

    The sum is least where all pairs meet equally often, as far as whole numbers can be equal.
    """

    def __init__(self, systems: int) -> None:
        self.sets: list[list[int]] = []
        self.copies: Counter[frozenset[int]] = Counter()
        self.counts = [0] * systems
        self.meetings = [[0] * systems for _ in range(systems)]
        self.squares = 0

    @property
    def least(self) -> int:
        """The least sum of squares that the sets could have, were all of them free to choose."""
        pairs = comb(len(self.counts), 2)
        usual, rest = divmod(sum(map(sum, self.meetings)) // 2, pairs)
        return pairs * usual**2 + rest * (2 * usual + 1)

    def deal(self, size: int, order: list[int]) -> None:
        """Add a set of those who are in the fewest so far and, among them, have met least.

        So the numbers of sets differ by one at most. Ties are broken by the order.
        """
        members: list[int] = []
        load = [0] * len(order)
        for _ in range(size):
            free = (each for each in order if each not in members)
            chosen = min(free, key=lambda each: (self.counts[each], load[each]))
            for member in members:
                self.squares += 2 * self.meetings[chosen][member] + 1
                self._meet(chosen, member, 1)
            for each in order:
                load[each] += self.meetings[chosen][each]
            members.append(chosen)
        for member in members:
            self.counts[member] += 1
        self.sets.append(members)
        self.copies[frozenset(members)] += 1

    def exchange(self, first: list[int], i: int, second: list[int], j: int) -> None:
        """Exchange two systems of two sets, unless the meetings would be less even.

        No system's number of sets changes. An exchange that changes nothing for the better is made
        too, so that others can follow. One that takes apart one of two equal sets is always made,
        and none that would make two equal.
        """
        one, other = first[i], second[j]
        if one in second or other in first:
            return
        before = [frozenset(first), frozenset(second)]
        after = [before[0] - {one} | {other}, before[1] - {other} | {one}]
        if any(self.copies[each] for each in after):
            return
        alone = before[0] - before[1] - {one}, before[1] - before[0] - {other}
        change = self._change(one, other, alone[0]) + self._change(other, one, alone[1])
        if change > 0 and all(self.copies[each] == 1 for each in before):
            return
        self.squares += change
        for leaver, newcomer, others in ((one, other, alone[0]), (other, one, alone[1])):
            for each in others:
                self._meet(leaver, each, -1)
                self._meet(newcomer, each, 1)
        first[i], second[j] = other, one
        self.copies = +(self.copies - Counter(before) + Counter(after))

    def _change(self, leaver: int, newcomer: int, others: frozenset[int]) -> int:
        """How the squares change: of m - 1 against m, and of m + 1 against m."""
        met, new = self.meetings[leaver], self.meetings[newcomer]
        return sum(2 * (new[each] - met[each] + 1) for each in others)

    def _meet(self, one: int, other: int, times: int) -> None:
        self.meetings[one][other] += times
        self.meetings[other][one] += times
