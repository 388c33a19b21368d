"""Which task of an adaptive campaign is given out next, and with which probability.

Tasks about the same systems are interchangeable here: which of their documents comes is left to
chance, so that documents stay a random sample. With the probability `floor` any task is chosen, all
equally likely. Else it is, half of the time each,

- one about the systems from which most can be learnt about the ranking: for choices the expected
  information about the order of an undecided pair, with strengths by Bradley and Terry and room for
  the pair's own deviation from them; for ratings the drop in the variance of the undecided
  differences;
- one about the undecided pair that is nearest to a decision.

`simulate_campaign` runs a whole campaign with the answers of a function, to see when it stops.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gistmark.judgements.adaptive.evidence import Evidence, Gap, Pair
from gistmark.judgements.adaptive.rule import Rule, pairs_of
from gistmark.judgements.adaptive.strengths import covariance, fit
from gistmark.runtime.seeds import generator

Float64 = NDArray[np.float64]
Systems = tuple[str, ...]

_PENALTY = 0.1
"""A normal prior of strengths with a variance of 5."""
_DEVIATION = 0.5
"""The variance of a pair's own deviation from the difference of its strengths."""
_NODES = np.linspace(-4.0, 4.0, 41)
_MASSES = np.exp(-(_NODES**2) / 2) / np.exp(-(_NODES**2) / 2).sum()

Answer = Callable[[str, Systems], Sequence[Gap]]
"""What a task about a document and some systems shows, once all its judges are in."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The systems of the chosen task, its index among the tasks about them, and how it was chosen.

    `probability` is that of this very task, `among` how many there were to choose from.
    """

    systems: Systems
    index: int
    probability: float
    among: int


@dataclass(frozen=True, slots=True)
class Merits:
    """What a value about each pair of systems is worth: for the ranking, and for a decision."""

    gains: Mapping[Pair, float]
    progress: Mapping[Pair, float]


def merits_of(evidence: Evidence) -> Merits:
    """The merits of all undecided pairs; a decided one has none."""
    undecided = evidence.undecided
    if evidence.rule.kind == "comparisons":
        gains = _order_information(evidence, undecided)
    else:
        # How much smaller the variance of a pair's mean difference gets by one more document.
        bets = {pair: evidence.of(pair) for pair in undecided}
        gains = {pair: b.variance / ((b.n + 1) * (b.n + 2)) for pair, b in bets.items()}
    progress = {
        pair: max(evidence.of(pair).wealth[:2]) - evidence.needed(pair) for pair in undecided
    }
    return Merits(gains, progress)


def choose(
    tasks: Mapping[Systems, int], merits: Merits, floor: float, draw: float
) -> Choice | None:
    """The next task; `tasks` counts the free ones by their systems, `draw` is random in [0, 1).

    None where no task is free.
    """
    free = [(systems, count) for systems, count in sorted(tasks.items()) if count > 0]
    total = sum(count for _, count in free)
    if not total:
        return None
    chances = _chances(free, merits, floor)
    ends = np.cumsum(chances * [count for _, count in free])
    row = min(int(np.searchsorted(ends, draw * ends[-1], side="right")), len(free) - 1)
    systems, count = free[row]
    start = ends[row - 1] if row else 0.0
    index = min(int((draw * ends[-1] - start) / chances[row]), count - 1)
    return Choice(systems, index, float(chances[row]), total)


def _chances(free: Sequence[tuple[Systems, int]], merits: Merits, floor: float) -> Float64:
    """The probability of each single task, by its systems."""
    counts = np.array([count for _, count in free], dtype=np.float64)
    pairs = [pairs_of(systems) for systems, _ in free]
    gains = np.array([sum(merits.gains.get(pair, 0.0) for pair in own) for own in pairs])
    nearest = np.array(
        [max((merits.progress.get(p, -np.inf) for p in own), default=-np.inf) for own in pairs]
    )
    chances = np.full(len(free), floor / counts.sum())
    for values in (gains, nearest):
        best = (
            values >= values.max() - 1e-12 if values.max() > -np.inf else np.ones(len(free), bool)
        )
        chances += np.where(best, (1.0 - floor) / 2 / counts[best].sum(), 0.0)
    return chances


def _order_information(evidence: Evidence, pairs: Sequence[Pair]) -> dict[Pair, float]:
    """The mutual information, in nats, of the next choice and the order of each pair."""
    if not pairs:
        return {}
    systems = evidence.systems
    position = {name: number for number, name in enumerate(systems)}
    wins = np.zeros((len(systems), len(systems)))
    for (left, right), bets in evidence.bets.items():
        i, j = position[left], position[right]
        wins[i, j], wins[j, i] = bets.total, bets.n - bets.total
    games = wins + wins.T
    strengths = fit(wins[None], _PENALTY)[0]
    spread = covariance(games, strengths, _PENALTY)
    i, j = np.array([(position[left], position[right]) for left, right in pairs]).T
    middle = strengths[i] - strengths[j]
    chance = 1.0 / (1.0 + np.exp(-middle))
    prior = spread[i, i] + spread[j, j] - 2 * spread[i, j] + _DEVIATION
    variance = 1.0 / (1.0 / prior + games[i, j] * chance * (1.0 - chance))
    values = _information(middle, np.sqrt(variance))
    return dict(zip(pairs, values.tolist(), strict=True))


def _information(middle: Float64, deviation: Float64) -> Float64:
    """What a choice tells about the sign of a normal difference of strengths."""
    differences = middle[:, None] + deviation[:, None] * _NODES
    chances = 1.0 / (1.0 + np.exp(-differences))
    positive = differences > 0
    above = (positive * _MASSES).sum(axis=1)
    won = (chances * _MASSES).sum(axis=1)
    won_above = (chances * positive * _MASSES).sum(axis=1)
    given_above = won_above / np.maximum(above, 1e-12)
    given_below = (won - won_above) / np.maximum(1.0 - above, 1e-12)
    information = (
        _entropy(won) - above * _entropy(given_above) - (1.0 - above) * _entropy(given_below)
    )
    return np.asarray(np.maximum(information, 0.0), dtype=np.float64)


def _entropy(chance: Float64) -> Float64:
    inside = np.clip(chance, 1e-12, 1.0 - 1e-12)
    entropy: Float64 = -inside * np.log(inside) - (1.0 - inside) * np.log1p(-inside)
    return entropy


@dataclass(frozen=True, slots=True)
class Simulation:
    """The result of a simulated campaign: the chosen tasks in order, and what is known then."""

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
