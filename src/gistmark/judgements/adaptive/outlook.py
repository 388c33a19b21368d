"""What an adaptive campaign can say about how far it is."""

from __future__ import annotations

from dataclasses import dataclass

from gistmark.judgements.adaptive.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Outlook:
    """How many pairs of systems are decided, and what the others may still take.

    `more` is how many judgements the pairs need that are far enough apart to say; None where there
    is none. Of choices it is at most about that many, since decisions help other pairs; of ratings
    at least, since one task is about several pairs. `close` counts the pairs of which nobody can
    say.
    """

    decided: int
    pairs: int
    more: int | None
    close: int
    sentence: str


def outlook_of(evidence: Evidence) -> Outlook:
    """How far a campaign is, in numbers and in a sentence that says no more than is known."""
    undecided = evidence.undecided
    needs = [evidence.of(pair).more(evidence.threshold) for pair in undecided]
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
