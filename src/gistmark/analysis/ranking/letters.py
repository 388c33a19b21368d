"""Groups of systems that cannot be told apart: the compact letter display, and lines.

Piepho, "An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons" (2004), says
what the display promises: two systems share a letter exactly if their difference is not
significant. Here each letter is one maximal set of systems without a significant pair, and every
such set has its letter, so the display is unique.

Not being told apart is not transitive: A may go with B, and B with C, while A and C differ. Hence
the letters, and hence a line between two ranks only where everyone above differs from everyone
below.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

Bool = NDArray[np.bool_]

LETTERS = (
    string.ascii_lowercase
    + string.ascii_uppercase
    + "βγδεζηθλμξπρστφχψωΓΔΘΛΞΠΣΦΨΩ"
    + "бвгджзийлпцчшщъыьэюяБГДЖЗИЙЛПЦЧШЩЪЫЬЭЮЯ"
)
"""One character each, none of which looks like another."""

TOO_MANY = f"there are more than {len(LETTERS)} groups of systems, so they have no letters"


def letters(differ: Bool) -> list[str] | None:
    """The letters of each system, where `differ[i, j]` says which pairs differ significantly.

    Systems stand in their order, the best first; `a` goes to the group that begins with the best.
    None if there are more groups than letters.
    """
    groups = list(islice(maximal_groups(~differ), len(LETTERS) + 1))
    if len(groups) > len(LETTERS):
        return None
    texts = [""] * len(differ)
    for letter, group in zip(LETTERS, sorted(map(sorted, groups)), strict=False):
        for system in group:
            texts[system] += letter
    return texts


def maximal_groups(together: Bool) -> Iterator[set[int]]:
    """Every maximal set whose members are all together, pair by pair, one after another.

    The maximal cliques of a graph, by the algorithm of Bron and Kerbosch (1973) with the pivot of
    Tomita, Tanaka and Takahashi (2006).
    """
    size = len(together)
    friends = [set(np.flatnonzero(together[one]).tolist()) - {one} for one in range(size)]

    def extend(group: set[int], open_: set[int], done: set[int]) -> Iterator[set[int]]:
        if not open_ and not done:
            yield group
            return
        pivot = max(open_ | done, key=lambda one: len(friends[one] & open_))
        for one in sorted(open_ - friends[pivot]):
            yield from extend(group | {one}, open_ & friends[one], done & friends[one])
            open_ = open_ - {one}
            done = done | {one}

    if size:
        yield from extend(set(), set(range(size)), set())


def clusters(differ: Bool) -> list[int]:
    """The cluster of each system in its order, 1 for the best.

    A new one begins only where every system above differs from every system below.
    """
    numbers: list[int] = []
    cluster = 1
    for system in range(len(differ)):
        cluster += bool(system) and bool(differ[:system, system:].all())
        numbers.append(cluster)
    return numbers


def is_line_between(above: int | None, below: int | None) -> bool:
    """Whether one of these clusters ends above the other; who has no rank is in none."""
    return below is not None and above != below


def show_letters(text: str | None) -> str:
    """Letters for people: runs of four and more are cut short, `bcdefh` becomes `b–fh`."""
    runs: list[list[str]] = []
    for letter in text or "":
        position = LETTERS.index(letter)
        if runs and LETTERS.index(runs[-1][-1]) + 1 == position:
            runs[-1].append(letter)
        else:
            runs.append([letter])
    return "".join("".join(run) if len(run) < 4 else f"{run[0]}–{run[-1]}" for run in runs)
