"""Content units: what they may look like, which of them say the same, and how they are merged.

Nenkova and Passonneau, "Evaluating Content Selection in Summarization: The Pyramid Method" (2004):
several people write down what references say, one fact each; units that say the same become one,
and its weight is the number of those who wrote it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from gistmark.corpus.fields import NAME, TEXT, Weight
from gistmark.judgements.fields import Fields
from gistmark.records import ContentUnit
from gistmark.text.content import ALIKE, content_words, overlap

LONGEST_UNIT = 500
"""A longer text is not a single fact."""
MOST_UNITS = 100
"""How many units one reference, or one document, may have at most."""
HEAVIEST = 1_000_000.0
"""No unit weighs more."""
_WEIGHT = Weight()


@dataclass(frozen=True, slots=True)
class MergedUnit:
    """A content unit as it is merged; `sources` are the ids of the units that it comes from.

    Without an `id`, it gets one when it is stored.
    """

    text: str
    weight: float = 1.0
    sources: tuple[str, ...] = ()
    id: str | None = None


def same_wording(text: str) -> str:
    """What two units have in common that differ in case, space or punctuation at most."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    kept = (char if unicodedata.category(char)[0] in "LMNS" else " " for char in folded)
    return " ".join("".join(kept).split())


def propose_merged(units: Sequence[ContentUnit], lang: str | None = None) -> list[MergedUnit]:
    """Units of several annotators, similar ones merged; a manager has the last word.

    A unit joins the group whose first unit it overlaps most with, from `ALIKE` on, unless its
    annotator has written a unit of that group already: somebody who wrote two means two facts. The
    text is that of the unit that overlaps most with the others of its group, and the weight is the
    number of annotators. Groups come in the order in which their units stand in the lists.

    >>> from gistmark.judgements.content_units import propose_merged
    >>> from gistmark.records import ContentUnit
    >>> written = [
    ...     ContentUnit("d", "u1", "The bridge was closed.", annotator="ann"),
    ...     ContentUnit("d", "u2", "A painter found a crack.", annotator="ann"),
    ...     ContentUnit("d", "u3", "The old bridge was closed.", annotator="ben"),
    ... ]
    >>> [(unit.text, unit.weight, unit.sources) for unit in propose_merged(written)]
    [('The bridge was closed.', 2.0, ('u1', 'u3')), ('A painter found a crack.', 1.0, ('u2',))]
    """
    bags = [content_words(unit.text, lang) for unit in units]
    groups: list[list[int]] = []
    for number, unit in enumerate(units):
        open_groups = [
            group for group in groups
            if all(_may_join(unit, units[member]) for member in group)
        ]  # fmt: skip
        best = max(
            open_groups, key=lambda group: overlap(bags[group[0]], bags[number]), default=None
        )
        if best is not None and overlap(bags[best[0]], bags[number]) >= ALIKE:
            best.append(number)
        else:
            groups.append([number])
    depths = _depths(units)
    groups.sort(key=lambda group: round(sum(depths[number] for number in group) / len(group), 9))
    return [_merged(group, units, bags) for group in groups]


def weight_of(sources: Sequence[ContentUnit]) -> float:
    """The weight of a unit by default: how many annotators wrote it, and at least 1."""
    return float(max(1, len({each.annotator for each in sources})))


def read_merged(given: Fields, name: str, written: Collection[str]) -> list[MergedUnit]:
    """The merged units of a document from JSON; what is wrong becomes a fault of `given`.

    Each has a `text`, a `weight` (1 where it is left out), the ids of its `sources`, which must be
    among those that were `written`, and an `id` where it has one already. Two units of one wording
    are a fault, and so are two of one id.
    """
    units = [_read_one(each, written) for each in given.objects(name)]
    if len(units) > MOST_UNITS:
        given.fault(name, f"must hold at most {MOST_UNITS} units")
    for index, first in duplicates([unit.text for unit in units]):
        path = f"{name}[{index}].text"
        given.fault(path, f"says the same as unit {first + 1}; merge the two or change one")
    ids = [unit.id for unit in units if unit.id is not None]
    for repeated in sorted({each for each in ids if ids.count(each) > 1}):
        given.fault(name, f"has two units of the id {repeated!r}")
    return units


def numbered(units: Sequence[MergedUnit]) -> list[MergedUnit]:
    """The units with an id each; those that have none get u1, u2, ... as far as it is free."""
    taken = {unit.id for unit in units}
    free = (id for number in count(1) if (id := f"u{number}") not in taken)
    return [unit if unit.id is not None else replace(unit, id=next(free)) for unit in units]


def read_text(given: Fields, *, draft: bool = False) -> str:
    """The wording of one unit, without blanks around it; a draft may have one that is empty."""
    text = " ".join((given.take("text", TEXT) or "").split())
    if len(text) > LONGEST_UNIT:
        given.fault("text", f"must have at most {LONGEST_UNIT} characters, but has {len(text)}")
    elif not draft and given.has("text") and not same_wording(text):
        given.fault("text", "must have a word")
    return text


def duplicates(texts: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The indices of texts that say the same as an earlier one, each with that of the first."""
    known: dict[str, int] = {}
    for index, text in enumerate(texts):
        wording = same_wording(text)
        first = known.setdefault(wording, index)
        if wording and first != index:
            yield index, first


def _read_one(given: Fields, written: Collection[str]) -> MergedUnit:
    weight = given.take("weight", _WEIGHT, 1.0)
    if weight is not None and weight > HEAVIEST:
        given.fault("weight", f"must be at most {HEAVIEST:,.0f}")
    sources = given.members("sources", NAME)
    for source in sources:
        if source not in written:
            given.fault("sources", f"names {source!r}, which is not a unit that was written here")
    unit = MergedUnit(read_text(given), weight or 1.0, sources, given.take("id", NAME, None))
    given.refuse_others()
    return unit


def _may_join(unit: ContentUnit, member: ContentUnit) -> bool:
    """Whether two units can be the same fact: not where one person wrote both of one reference."""
    same = (unit.annotator, unit.reference) == (member.annotator, member.reference)
    return unit.annotator is None or not same


def _depths(units: Sequence[ContentUnit]) -> list[float]:
    """How far down each unit stands in its annotator's list, from 0 to 1."""
    lists: dict[str | None, list[int]] = {}
    for number, unit in enumerate(units):
        lists.setdefault(unit.annotator, []).append(number)
    depths = [0.0] * len(units)
    for members in lists.values():
        for position, number in enumerate(members):
            depths[number] = (position + 0.5) / len(members)
    return depths


def _merged(
    group: Sequence[int], units: Sequence[ContentUnit], bags: Sequence[frozenset[str]]
) -> MergedUnit:
    def centrality(number: int) -> float:
        return sum(overlap(bags[number], bags[other]) for other in group)

    members = [units[number] for number in group]
    central = units[max(group, key=lambda number: (round(centrality(number), 9), -number))]
    return MergedUnit(central.text, weight_of(members), tuple(unit.id for unit in members))
