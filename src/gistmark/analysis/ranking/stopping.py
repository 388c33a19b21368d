"""The decisions of an adaptive campaign, replayed in the order in which its judgements came in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gistmark.analysis.findings import words
from gistmark.analysis.studies.records import Finding, Note
from gistmark.corpus.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements.adaptive import Evidence, Rule, interval, promise, replay


@dataclass(frozen=True, slots=True)
class SequentialPair:
    """Two systems by an adaptive campaign's rule.

    `difference` is the left system's mean less the right one's over `n` documents, in points of the
    scale or shares of votes. The interval from `low` to `high` holds the true difference at every
    moment of the campaign, for all pairs together with one minus the rule's `level`. `decided` is
    `left`, `right`, `equal` (within the margin) or empty; `through` says that it follows from other
    pairs, and that its own values say so with the level of a single pair; `after` is the number of
    judgements, of `judgements`, after which it was known.
    """

    dimension: str
    left: str
    right: str
    difference: float | None
    low: float | None
    high: float | None
    n: int
    decided: str
    through: bool
    after: int | None
    judgements: int
    level: float
    margin: float
    reason: str | None = None


def sequential_pairs(corpus: Corpus) -> tuple[SequentialPair, ...]:
    """What the campaign's rule knew of every pair of systems, and when.

    There are none without a sequence that can be replayed (`checked_sequence`).
    """
    if not corpus.sequence or any(True for _ in checked_sequence(corpus)):
        return ()
    rule = Rule.parse(corpus.sequence[0].rule)
    judgements = corpus.ratings if rule.kind == "ratings" else corpus.comparisons
    systems = dict.fromkeys(name for turn in corpus.sequence for name in turn.systems)
    values: dict[tuple[str, str], list[float]] = {}
    after: dict[tuple[str, str], int] = {}
    evidence = Evidence(rule, tuple(sorted(systems)))
    for step in replay(corpus.sequence, judgements, list(systems)):
        evidence = step.evidence
        for gap in step.gaps:
            values.setdefault((gap.left, gap.right), []).append(rule.unit(gap.value))
        for pair in ((gap.left, gap.right) for gap in step.gaps):
            bets = evidence.of(pair)
            enough = bets.verdict is not None or max(bets.peaks[:2]) >= evidence.alone
            if enough and pair not in after:
                after = {p: after.get(p, step.judgements) for p in evidence.decisions}
    level = rule.level / max(len(evidence.pairs), 1)
    total = len(corpus.sequence)
    return tuple(
        _record(rule, evidence, pair, values.get(pair, []), after.get(pair), total, level)
        for pair in evidence.pairs
    )


def _record(
    rule: Rule,
    evidence: Evidence,
    pair: tuple[str, str],
    values: Sequence[float],
    after: int | None,
    total: int,
    level: float,
) -> SequentialPair:
    decision = evidence.decisions.get(pair)
    low, high = map(rule.gap, interval(values, level)) if values else (None, None)
    return SequentialPair(
        dimension=rule.dimension,
        left=pair[0],
        right=pair[1],
        difference=rule.gap(sum(values) / len(values)) if values else None,
        low=low,
        high=high,
        n=len(values),
        decided="" if decision is None else decision.verdict,
        through=decision is not None and decision.through,
        after=None if decision is None else after,
        judgements=total,
        level=rule.level,
        margin=rule.margin,
        reason=None if values else "no annotator judged both about one document",
    )


def sequential_findings(pairs: Sequence[SequentialPair]) -> Iterator[Finding]:
    """How many pairs the campaign's own rule decided, and when."""
    if not pairs:
        return
    first = pairs[0]
    moments = [pair.after for pair in pairs if pair.after is not None]
    noun, when = words.counted(len(pairs), "pair"), ""
    if moments:
        when = f", the last one after {max(moments):,} of {first.judgements:,} judgements"
    through = sum(pair.through for pair in pairs)
    detail = promise(first.level, through=bool(through))
    if through:
        are = "is" if through == 1 else "are"
        detail = f"{words.counted(through, 'decision')} {are} through others. {detail}"
    yield Finding(
        kind="systems",
        text=f"{first.dimension}: the campaign’s own rule decided {len(moments):,} of {noun} of "
        f"systems{when}.",
        detail=detail,
        by="sequence",
        dimension=first.dimension,
        value=float(len(moments)),
        compared=len(pairs),
        n=first.judgements,
    )


def checked_sequence(corpus: Corpus) -> Iterator[Note]:
    """A note where what `sequence.csv` says cannot be replayed."""
    if not corpus.sequence:
        return
    try:
        rule = Rule.parse(corpus.sequence[0].rule)
    except UsageError as error:
        yield Note("sequence", f"The order of judgements was not replayed: {error}")
        return
    judged = corpus.ratings if rule.kind == "ratings" else corpus.comparisons
    if not any(judgement.dimension == rule.dimension for judgement in judged):
        yield Note("sequence", f"There are no {rule.kind} of {rule.dimension!r} to replay.")
