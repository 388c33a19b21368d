"""Questions about several summaries of one document: their order, or the best and the worst.

As JSON, with the summaries by their index in the order shown, a ranking and a best-worst choice are

    [[2], [0, 1], [3]]
    {"best": 2, "worst": 3}

A ranking names groups of summaries, the best first; a group of several is a tie. In records each
system has its rank, which is one more than the number of summaries that are better: 1, 2, 2, 4.
Best-worst scaling: Louviere, Flynn and Marley (2015), https://doi.org/10.1017/CBO9781107337855.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, Any, ClassVar

from gistmark.corpus.fields import FLAG, Kind, WrongValueError, describe
from gistmark.judgements.fields import Fields
from gistmark.judgements.forms.base import QuestionBlock
from gistmark.judgements.forms.inputs import Setting
from gistmark.judgements.protocols.protocol import Scale
from gistmark.judgements.questions.base import FEWEST_ANSWERS, Origin, Reading
from gistmark.judgements.questions.rating import OnScale
from gistmark.records import Response

if TYPE_CHECKING:
    from gistmark.judgements.simulation import SimulatedAnnotator
    from gistmark.judgements.tasks.task import Entry

Groups = list[list[int]]
_ENDS = ("best", "worst")

_SAME = 0.04
"""Simulated annotators tie summaries, where they may, that differ by less, from 0 to 1."""


@dataclass(frozen=True, kw_only=True)
class SetBlock(QuestionBlock):
    """What the questions about several summaries share: a record for each of them."""

    subjects = ("set",)
    tolerance: ClassVar[str]
    """What its distance counts, shown to a manager who sets the tolerance of a practice item."""

    def responses(self, values: Sequence[str], origin: Origin) -> Iterator[Response]:
        """A record for each system, in the order in which the summaries were shown."""
        for system, value in zip(origin.systems, values, strict=True):
            yield self.response(value, origin, system)


@dataclass(frozen=True, kw_only=True)
class RankingBlock(SetBlock):
    """Put the summaries in order; with `ties`, some may be equally good."""

    type = "ranking"
    title = "Ranking"
    about = "several summaries to put in order, the best first, with ties if you like"
    tolerance = "how many pairs of a ranking may stand the other way round"
    inputs = (Setting(name="ties", label="Let summaries share a rank", input="flag", start=False),)

    ties: bool = False

    @classmethod
    def settings(cls, given: Fields) -> dict[str, Any]:
        return {"ties": given.take("ties", FLAG, False)}

    def read(self, answers: Fields, entry: Entry, reading: Reading) -> Groups | None:
        """The whole order: there are no partial rankings, not even in a draft."""
        groups: Groups | None = answers.take(
            self.name, _Ranking(len(entry.systems), self.ties), None
        )
        return groups

    def records(self, answer: Groups, origin: Origin) -> Iterator[Response]:
        ranks = ranks_of(answer)
        return self.responses([str(ranks[index]) for index in sorted(ranks)], origin)

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> Groups:
        levels = [person.level(text, self.name) for text in item["summaries"]]
        groups: Groups = []
        for index in sorted(range(len(levels)), key=lambda each: -levels[each]):
            if self.ties and groups and levels[groups[-1][0]] - levels[index] < _SAME:
                groups[-1].append(index)
            else:
                groups.append([index])
        return groups

    def distance(self, answer: Groups | None, right: Groups) -> float:
        """How many pairs of summaries stand the other way round: the distance of Kendall.

        A pair that only one of the two rankings ties counts half (Fagin et al. 2004,
        https://doi.org/10.1145/1055558.1055568).
        """
        if answer is None:
            return inf
        given, expected = ranks_of(answer), ranks_of(right)
        pairs = combinations(sorted(expected), 2)
        signs = ((_sign(given, *pair), _sign(expected, *pair)) for pair in pairs)
        return sum(abs(one - other) for one, other in signs) / 2

    def reordered(self, answer: Groups, positions: Sequence[int]) -> Groups:
        return [sorted(positions[index] for index in group) for group in answer]

    def wording(self, answer: Groups) -> str:
        """The numbers of the summaries as shown, from 1: 3 > 1 = 2 > 4."""
        return " > ".join(" = ".join(str(index + 1) for index in group) for group in answer)


@dataclass(frozen=True, kw_only=True)
class BestWorstBlock(SetBlock):
    """Choose the best and the worst of several summaries."""

    type = "best-worst"
    title = "Best and worst"
    about = "several summaries of which to choose the best and the worst"
    tolerance = "how many of the best and the worst may be wrong"

    @classmethod
    def settings(cls, given: Fields) -> dict[str, Any]:
        return {}

    def read(self, answers: Fields, entry: Entry, reading: Reading) -> dict[str, int] | None:
        if not answers.has(self.name):
            return None
        given = answers.inner(self.name)
        index = _index(len(entry.systems))
        read = {part: given.take(part, index, reading.default) for part in _ENDS}
        if read["best"] is not None and read["best"] == read["worst"]:
            given.fault("worst", "must be a different summary from the best one")
        given.refuse_others()
        return {part: value for part, value in read.items() if value is not None} or None

    def records(self, answer: dict[str, int], origin: Origin) -> Iterator[Response]:
        """The records of a complete choice; half of one, as a draft may have it, gives none."""
        ends = {index: part for part, index in answer.items()}
        if len(ends) == len(_ENDS):
            values = [ends.get(index, "") for index in range(len(origin.systems))]
            yield from self.responses(values, origin)

    def simulate(self, item: Mapping[str, Any], person: SimulatedAnnotator) -> dict[str, int]:
        levels = [person.level(text, self.name) for text in item["summaries"]]
        order = sorted(range(len(levels)), key=lambda each: -levels[each])
        return {"best": order[0], "worst": order[-1]}

    def distance(self, answer: dict[str, int] | None, right: dict[str, int]) -> float:
        """How many of the two choices are wrong."""
        if answer is None:
            return inf
        return float(sum(answer.get(part) != index for part, index in right.items()))

    def reordered(self, answer: dict[str, int], positions: Sequence[int]) -> dict[str, int]:
        return {part: positions[index] for part, index in answer.items()}

    def wording(self, answer: dict[str, int]) -> str:
        """The numbers of the summaries as shown, from 1: 3 > … > 4."""
        best, worst = (str(answer[part] + 1) if part in answer else "?" for part in _ENDS)
        return f"{best} > … > {worst}"


def same_positions(
    answers: Sequence[Mapping[str, Any]], questions: Sequence[QuestionBlock]
) -> str | None:
    """A sentence about a question whose answers name the same positions in every set of a task.

    The summaries of each set are in an order of their own, so this hardly happens to a reader.
    """
    for question in questions:
        given = [each[question.name] for each in answers if question.name in each]
        same = all(answer == given[0] for answer in given)
        if isinstance(question, SetBlock) and len(given) >= FEWEST_ANSWERS and same:
            wording = question.wording(given[0])
            return f"The answer to {question.name!r} is {wording} every time, in {len(given)} sets."
    return None


def ranks_of(groups: Groups) -> dict[int, int]:
    """The rank of each summary by its index: one more than the number of those before its group.

    >>> from gistmark.judgements.forms.ranking import ranks_of
    >>> ranks_of([[2], [0, 1], [3]])
    {2: 1, 0: 2, 1: 2, 3: 4}
    """
    ranks: dict[int, int] = {}
    for group in groups:
        ranks |= dict.fromkeys(group, len(ranks) + 1)
    return ranks


class _Ranking(Kind):
    """Groups that name each of so many summaries once."""

    def __init__(self, count: int, ties: bool) -> None:
        self.count = count
        self.ties = ties
        self.expected = "a list of groups of summaries, the best first"

    def value(self, value: object) -> Groups:
        if not isinstance(value, list | tuple) or not all(
            isinstance(group, list | tuple) and group for group in value
        ):
            raise self.wrong(value)
        groups = [sorted(map(self._index, group)) for group in value]
        times = Counter(each for group in groups for each in group)
        if lacking := [each for each in range(self.count) if not times[each]]:
            raise WrongValueError(f"must rank all summaries, but leaves out {_listed(lacking)}")
        if repeated := [each for each, number in times.items() if number > 1]:
            raise WrongValueError(f"must rank each summary once, but repeats {_listed(repeated)}")
        if not self.ties and len(groups) < self.count:
            raise WrongValueError("must not have ties: each group must hold one summary")
        return groups

    def _index(self, value: object) -> int:
        try:
            return _index(self.count).value(value)
        except WrongValueError:
            raise WrongValueError(
                f"must name summaries from 0 to {self.count - 1}, but names {describe(value)}"
            ) from None


def _index(count: int) -> OnScale:
    return OnScale(Scale("points", 0, count - 1))


def _listed(indices: Sequence[int]) -> str:
    return ", ".join(map(str, indices))


def _sign(ranks: Mapping[int, int], one: int, other: int) -> int:
    """-1 where the first is better, 1 where the other is, 0 where they are tied."""
    return (ranks[one] > ranks[other]) - (ranks[one] < ranks[other])
