"""What is known about every pair of systems while an adaptive campaign runs.

A document counts once for a pair of systems: with the difference between their ratings by the same
annotator (or with the choice between them), averaged over the document's judges once all of them
have judged it. So neither severe annotators nor hard documents matter, and of documents that come
in an order that has nothing to do with the systems each value has the true difference as its mean.
The decisions rest on that, and on annotators judging alike on average
(`gistmark.judgements.adaptive.sequential`).

If a is better than b, and b than c, then a is better than c, unless preferences run in circles.
Such a pair is decided "through others" where its own values say so too: their mean is on that
side, and their wealth has reached what decides a single pair, with the level not shared. So
transitivity is tested pair by pair: where preferences do not run in circles, all decisions are
right together with one minus the level, and where they do, each one through others is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import combinations
from statistics import fmean
from typing import Any, Literal

from gistmark.judgements.adaptive.rule import Rule, pairs_of
from gistmark.judgements.adaptive.sequential import Bets, threshold_of
from gistmark.records import Comparison, Rating, Turn

Pair = tuple[str, str]
Side = Literal["left", "right", "equal"]


@dataclass(frozen=True, slots=True)
class Gap:
    """How much better the left system is than the right one about a document."""

    document: str
    left: str
    right: str
    value: float


@dataclass(frozen=True, slots=True)
class Decision:
    """What is known about a pair: which side is better, or that both are equal within the margin.

    `after` is the number of documents after which it was known; None for a pair that is decided
    `through` others.
    """

    left: str
    right: str
    verdict: Side
    after: int | None
    through: bool = False


@dataclass(frozen=True)
class Evidence:
    """The bets about every pair of systems, and how many values they rest on."""

    rule: Rule
    systems: tuple[str, ...]
    bets: Mapping[Pair, Bets] = field(default_factory=dict)

    @property
    def pairs(self) -> list[Pair]:
        """All pairs of systems that are to be decided."""
        return pairs_of(self.systems)

    @property
    def threshold(self) -> float:
        """The wealth, as a logarithm, that decides a pair: the level is shared among all pairs."""
        return threshold_of(self.rule.level / max(len(self.pairs), 1))

    def needed(self, pair: Pair) -> float:
        """The wealth, as a logarithm, that decides a pair as things stand."""
        side, mean = self._implied.get(pair), self.of(pair).mean
        return self.alone if _agrees(side, mean) else self.threshold

    @property
    def alone(self) -> float:
        """The wealth that decides a single pair, with the level not shared."""
        return threshold_of(self.rule.level)

    def of(self, pair: Pair) -> Bets:
        """What is known about a pair."""
        return self.bets.get(pair, _NOTHING)

    def add(self, gaps: Iterable[Gap]) -> Evidence:
        """The evidence with some more values."""
        bets = dict(self.bets)
        margin, threshold = self.rule.margin / (2 * self.rule.span), self.threshold
        for gap in gaps:
            pair = (gap.left, gap.right)
            value = self.rule.unit(gap.value)
            bets[pair] = self.of(pair) if pair not in bets else bets[pair]
            bets[pair] = bets[pair].add(value, margin=margin, threshold=threshold)
        return replace(self, bets=bets)

    @cached_property
    def decisions(self) -> Mapping[Pair, Decision]:
        """The pairs that are decided, by their own values or through others."""
        decided: dict[Pair, Decision] = {}
        for left, right in self.pairs:
            bets = self.of((left, right))
            if bets.verdict is not None:
                verdict = _SIDES[bets.verdict]
                decided[left, right] = Decision(left, right, verdict, bets.decided_after)
        for pair, side in self._implied.items():
            bets = self.of(pair)
            peak = bets.peaks[0 if side == "left" else 1]
            if _agrees(side, bets.mean) and peak >= self.alone:
                decided[pair] = Decision(*pair, side, None, through=True)
        return decided

    @cached_property
    def _implied(self) -> Mapping[Pair, Literal["left", "right"]]:
        """Which side is better of pairs without a verdict, by a chain of verdicts about others."""
        better: dict[str, set[str]] = {name: set() for name in self.systems}
        verdicts = {pair: self.of(pair).verdict for pair in self.pairs}
        for (left, right), verdict in verdicts.items():
            if verdict == "above":
                better[left].add(right)
            elif verdict == "below":
                better[right].add(left)
        implied: dict[Pair, Literal["left", "right"]] = {}
        for (left, right), verdict in verdicts.items():
            above, below = _reaches(better, left, right), _reaches(better, right, left)
            if verdict is None and above != below:
                implied[left, right] = "left" if above else "right"
        return implied

    @property
    def undecided(self) -> list[Pair]:
        """The pairs that are not known yet."""
        return [pair for pair in self.pairs if pair not in self.decisions]

    @property
    def known(self) -> bool:
        """Whether every pair is decided, so that the campaign may stop."""
        return len(self.systems) > 1 and not self.undecided

    def to_mapping(self) -> dict[str, Any]:
        """The evidence as JSON can hold it."""
        bets = [[*pair, *asdict(each).values()] for pair, each in self.bets.items()]
        return {"systems": list(self.systems), "bets": bets}

    @classmethod
    def from_mapping(cls, rule: Rule, mapping: Mapping[str, Any]) -> Evidence:
        """What `to_mapping` wrote."""
        bets = {
            (left, right): Bets(n, total, squares, tuple(wealth), tuple(peaks), verdict, after)
            for left, right, n, total, squares, wealth, peaks, verdict, after in mapping["bets"]
        }
        return cls(rule, tuple(mapping["systems"]), bets)


_NOTHING = Bets()
_SIDES: Mapping[str, Side] = {
    "above": "left",
    "below": "right",
    "equal": "equal",
}


def gaps_of(rule: Rule, judgements: Iterable[Rating | Comparison]) -> list[Gap]:
    """The differences that some judgements about a few items show, averaged over annotators.

    Only what one annotator says about one document is compared.
    """
    values: dict[tuple[str, str, str], list[float]] = {}
    rated: dict[tuple[str, str], dict[str, float]] = {}
    for record in judgements:
        if record.dimension != rule.dimension:
            continue
        if isinstance(record, Rating):
            rated.setdefault((record.document, record.annotator), {})[record.system] = record.value
        else:
            left, right = sorted((record.left, record.right))
            won = 0.0 if record.winner is None else 1.0 if record.winner == left else -1.0
            values.setdefault((record.document, left, right), []).append(won)
    for (document, _), by_system in rated.items():
        for left, right in combinations(sorted(by_system), 2):
            gap = by_system[left] - by_system[right]
            values.setdefault((document, left, right), []).append(gap)
    return [Gap(*pair, fmean(gaps)) for pair, gaps in sorted(values.items())]


@dataclass(frozen=True, slots=True)
class Replayed:
    """The evidence after some judgements of a campaign, in the order in which they came in."""

    judgements: int
    evidence: Evidence
    gaps: tuple[Gap, ...]


def replay(
    turns: Sequence[Turn],
    judgements: Iterable[Rating | Comparison],
    systems: Sequence[str],
) -> Iterator[Replayed]:
    """An adaptive campaign once more, item by item, as `sequence.csv` tells it.

    An item counts once its last judge has judged it; items that lack judges never count.
    """
    rule = Rule.parse(turns[0].rule)
    by_turn: dict[tuple[str, str, str], list[Rating | Comparison]] = {}
    for record in judgements:
        system = record.system if isinstance(record, Rating) else record.left
        by_turn.setdefault((record.document, system, record.annotator), []).append(record)
    evidence = Evidence(rule, tuple(sorted(systems)))
    waiting: dict[tuple[str, frozenset[str]], list[Turn]] = {}
    for turn in sorted(turns, key=lambda turn: turn.number):
        item = frozenset(turn.systems)
        judged = waiting.setdefault((turn.document, item), [])
        judged.append(turn)
        gaps: list[Gap] = []
        if len(judged) == rule.judges:
            gaps = gaps_of(rule, _records_of(judged, by_turn))
            evidence = evidence.add(gaps)
        yield Replayed(turn.number, evidence, tuple(gaps))


def _records_of(
    turns: Iterable[Turn], by_turn: Mapping[tuple[str, str, str], Sequence[Rating | Comparison]]
) -> Iterator[Rating | Comparison]:
    """The judgements that some turns brought."""
    for turn in turns:
        for system in turn.systems:
            for record in by_turn.get((turn.document, system, turn.annotator), ()):
                if isinstance(record, Rating) or {record.left, record.right} <= {*turn.systems}:
                    yield record


def _agrees(side: Side | None, mean: float | None) -> bool:
    """Whether the mean of a pair's own values is on a side."""
    return mean is not None and (
        (side == "left" and mean > 0.5) or (side == "right" and mean < 0.5)
    )


def _reaches(better: Mapping[str, set[str]], start: str, end: str) -> bool:
    """Whether one system is better than another through any chain of decisions."""
    seen, open_names = {start}, [start]
    while open_names:
        for name in better[open_names.pop()]:
            if name == end:
                return True
            if name not in seen:
                seen.add(name)
                open_names.append(name)
    return False


@dataclass(frozen=True, slots=True)
class Outlook:
    """How many pairs of systems are decided, and what the others may still take.

    `more` is how many judgements are needed by the pairs that are far enough apart for a forecast;
    None if there is no such pair. For choices it is about an upper bound, since decisions help
    other pairs; for ratings a lower bound, since one task is about several pairs. `close` counts
    the pairs for which no forecast is possible.
    """

    decided: int
    pairs: int
    more: int | None
    close: int
    sentence: str


def outlook_of(evidence: Evidence) -> Outlook:
    """The progress of a campaign, in numbers and in a sentence that says no more than is known."""
    undecided = evidence.undecided
    needs = [evidence.of(pair).more(evidence.needed(pair)) for pair in undecided]
    known = [need for need in needs if need is not None]
    judges = evidence.rule.judges
    compares = evidence.rule.kind == "comparisons"
    more = None
    if known:
        more = judges * (sum(known) if compares else max(known))
    decided, pairs, close = len(evidence.decisions), len(evidence.pairs), len(needs) - len(known)
    sentence = f"{decided} of {pairs} pair{'' if pairs == 1 else 's'} of systems decided"
    if pairs == 0:
        sentence = "There is no pair of systems to decide"
    elif more is not None:
        bound = "at most about" if compares else "at least"
        noun = "judgements" if compares else "tasks"
        whom = "the rest" if not close else f"{len(known)} of the rest"
        sentence += f"; {bound} {more:,} more {noun} for {whom}"
    if close:
        sentence += f"; {close} still too close, or judged too seldom, to say how many more"
    return Outlook(decided, pairs, more, close, f"{sentence}.")
