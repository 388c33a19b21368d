"""A whole adaptive campaign with the answers of a function: when it stops, and how it errs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from gistmark.judgements.adaptive.allocation import Merits, Systems, choose, merits_of
from gistmark.judgements.adaptive.evidence import Evidence, Gap
from gistmark.judgements.adaptive.rule import Rule
from gistmark.runtime.seeds import generator

Answer = Callable[[str, Systems], Sequence[Gap]]
"""What a task about a document and some systems shows, once all its judges are in."""


@dataclass(frozen=True, slots=True)
class Simulation:
    """What became of a simulated campaign: the chosen tasks in order, and what is known then."""

    evidence: Evidence
    tasks: tuple[tuple[str, Systems], ...]
    weights: tuple[float, ...]


def simulate_campaign(
    tasks: Mapping[Systems, Sequence[str]],
    answer: Answer,
    rule: Rule,
    *,
    seed: int,
    most: int | None = None,
    every: int = 1,
) -> Simulation:
    """Run a campaign over the documents of each set of systems until it knows enough.

    It ends after `most` tasks, or when none is left. Merits are computed anew after `every` tasks,
    as where several annotators work at once.
    """
    rng = generator(seed, "simulated campaign")
    evidence = Evidence(rule, tuple(sorted({name for systems in tasks for name in systems})))
    left = {systems: list(documents) for systems, documents in tasks.items()}
    done: list[tuple[str, Systems]] = []
    weights: list[float] = []
    merits = Merits({}, {})
    while not evidence.known and (most is None or len(done) < most):
        if len(done) % every == 0:
            merits = merits_of(evidence)
        counts = {systems: len(documents) for systems, documents in left.items()}
        chosen = choose(counts, merits, rule.floor, float(rng.random()))
        if chosen is None:
            break
        document = left[chosen.systems].pop(chosen.index)
        evidence = evidence.add(answer(document, chosen.systems))
        done.append((document, chosen.systems))
        weights.append(1.0 / (chosen.among * chosen.probability))
    return Simulation(evidence, tuple(done), tuple(weights))
