"""How many judgements are saved, and whether sequential decisions keep their promise.

Prints, with fixed seeds: the coverage of sequential intervals, how often adaptive campaigns decide
falsely, and the judgements needed for the ranking of the full data (Kendall's tau of at least 0.95
from there on) by chance, by utility and adaptively. SummEval's ratings by three experts are read
from the folder `alttest-summeval` if it is there (see CONTRIBUTING); ratings by language models
stand in for the metric, as the texts are not released with them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from gistmark.analysis.sampling import consistency, metric_variance
from gistmark.judgements.adaptive import Evidence, Gap, Rule, choose, holds, merits_of
from gistmark.judgements.adaptive.allocation import Simulation, simulate_campaign
from gistmark.judgements.adaptive.strengths import fit
from harness import report

Float64 = NDArray[np.float64]

STREAMS, CAMPAIGNS, CORPORA, ORDERS = 2_000, 200, 60, 12
ENOUGH = 0.95
BUDGETS = np.geomspace(0.05, 0.5, 10)
PUBLISHED = "at random 93.5 %, by metric variance 96.8 %, by diversity 97.0 %"


def main() -> None:
    coverage()
    false_decisions()
    simulated_savings()
    folder = Path(os.environ.get("GISTMARK_PAPER_DATA", "../../shared/data")) / "alttest-summeval"
    if folder.is_dir():
        summeval(folder)
    else:
        print("alttest-summeval is not there: nothing about SummEval")


def coverage() -> None:
    """Simulated streams of 500 values; each interval has to hold at every moment."""
    rng = np.random.default_rng(1)
    size = (STREAMS, 500)
    streams = {
        "fair coins": (rng.integers(0, 2, size).astype(float), 0.5),
        "one in twenty": ((rng.random(size) < 0.05).astype(float), 0.05),
        "mostly ties": (rng.choice([0.0, 0.5, 1.0], p=[0.1, 0.8, 0.1], size=size), 0.5),
        "differences of ratings on 5": (rng.binomial(8, 0.45, size) / 8, 0.45),
        "skewed": (rng.beta(0.5, 2.0, size), 0.2),
    }
    for name, (values, mean) in streams.items():
        _covered(f"{STREAMS:,} streams, {name}", holds(values, mean, 0.05))


def _covered(claim: str, held: NDArray[np.bool_]) -> None:
    share = float(held.mean())
    report(f"sequential 95 % intervals hold at all times, {claim}", share, ">= 0.95", share >= 0.95)


def false_decisions() -> None:
    """Campaigns with any false decision, among 200 of each kind; the rule promises 5 % at most."""
    kinds: dict[str, Callable[[np.random.Generator], Float64]] = {
        "four equal systems": lambda rng: np.zeros(4),
        "four systems, two of them equal": lambda rng: np.array([0.8, 0.4, 0.4, 0.0]),
        "five systems of random strength": lambda rng: rng.normal(0, 0.5, 5),
    }
    for name, draw in kinds.items():
        false = sum(_is_false(seed, draw) for seed in range(CAMPAIGNS))
        low, high = stats.binomtest(false, CAMPAIGNS).proportion_ci(method="wilson")
        share = false / CAMPAIGNS
        claim = f"campaigns with a false decision, {name} [{low:.3f}, {high:.3f}]"
        report(claim, share, "<= 0.05", share <= 0.05)


def _is_false(seed: int, draw: Callable[[np.random.Generator], Float64]) -> bool:
    rng = np.random.default_rng(seed)
    strengths = draw(rng)
    done = _campaign(strengths, documents=60, seed=seed, floor=0.1)
    right = {"left": 1, "right": -1}
    return any(
        np.sign(strengths[int(each.left)] - strengths[int(each.right)]) != right[each.verdict]
        for each in done.evidence.decisions.values()
    )


def _campaign(strengths: Float64, documents: int, seed: int, floor: float) -> Simulation:
    """A simulated campaign of choices between systems 0, 1, ... of these strengths."""
    rng = np.random.default_rng([seed, 1])

    def answer(document: str, systems: tuple[str, ...]) -> Sequence[Gap]:
        gap = strengths[int(systems[0])] - strengths[int(systems[1])]
        won = rng.random() < 1 / (1 + np.exp(-gap))
        return [Gap(document, systems[0], systems[1], 1.0 if won else -1.0)]

    names = [str(number) for number in range(len(strengths))]
    tasks = {pair: [f"d{k}" for k in range(documents)] for pair in combinations(names, 2)}
    rule = Rule("comparisons", "overall", floor=floor)
    return simulate_campaign(tasks, answer, rule, seed=seed, every=5)


def simulated_savings() -> None:
    """Six systems: tasks until all pairs are decided, by chance and adaptively."""
    kinds = {
        "choices": lambda seed, floor: _campaign(np.linspace(0, 3.5, 6), 400, seed, floor),
        "tasks of two ratings": lambda seed, floor: _rated(np.linspace(2.5, 4, 6), seed, floor),
    }
    for noun, run in kinds.items():
        needed = {
            name: [len(run(seed, floor).tasks) for seed in range(30)]
            for name, floor in (("by chance", 1.0), ("adaptively", 0.1))
        }
        for name, counts in needed.items():
            print(f"      {noun} until all 15 pairs are decided, {name}: {_mean(counts)}")
        saved = [1 - a / b for a, b in zip(needed["adaptively"], needed["by chance"], strict=True)]
        report(f"saved, {noun} {_mean(saved)}", float(np.mean(saved)), "> 0", np.mean(saved) > 0)


def _rated(means: Float64, seed: int, floor: float) -> Simulation:
    """A simulated campaign of ratings from 1 to 5, two systems of a document in a task."""
    rng = np.random.default_rng([seed, 2])

    def answer(document: str, systems: tuple[str, ...]) -> Sequence[Gap]:
        level = rng.normal(0, 0.5)
        ratings = [
            np.clip(np.round(means[int(name)] + level + rng.normal(0, 0.8)), 1, 5)
            for name in systems
        ]
        return [Gap(document, systems[0], systems[1], float(ratings[0] - ratings[1]))]

    names = [str(number) for number in range(len(means))]
    tasks = {pair: [f"d{k}" for k in range(1000)] for pair in combinations(names, 2)}
    rule = Rule("ratings", "overall", 1, 5, floor=floor)
    return simulate_campaign(tasks, answer, rule, seed=seed, every=5)


def _mean(values: Sequence[float]) -> str:
    """A mean with its 95 % interval."""
    mean, half = np.mean(values), 1.96 * np.std(values, ddof=1) / np.sqrt(len(values))
    digits = 2 if abs(mean) < 10 else 0
    return f"{mean:.{digits}f} [{mean - half:.{digits}f}, {mean + half:.{digits}f}]"


def summeval(folder: Path) -> None:
    """SummEval: 100 documents, 16 systems, mean of three experts and four dimensions."""
    people = _cells(json.loads((folder / "human_annotations.json").read_text()))
    models = _cells(json.loads((folder / "llm_annotations.json").read_text()))
    truth = np.mean(list(people.values()), axis=0)
    _summeval_coverage(truth)
    _summeval_budgets(truth, models)
    _summeval_judgements(truth, models, len(people))
    _summeval_choices(truth)


def _cells(raw: dict[str, dict[str, float]]) -> dict[str, Float64]:
    """Documents × systems by annotator, each the mean of the four dimensions."""
    keys = [key.split("__") for key in next(iter(raw.values()))]
    documents = sorted({key[0] for key in keys})
    systems = sorted({key[1] for key in keys})
    cells = {}
    for name, ratings in raw.items():
        table = np.zeros((len(documents), len(systems)))
        for key, value in ratings.items():
            document, system, _ = key.split("__")
            table[documents.index(document), systems.index(system)] += value / 4
        cells[name] = table
    return cells


def _summeval_coverage(truth: Float64) -> None:
    rng = np.random.default_rng(2)
    documents, systems = truth.shape
    rows, means = [], []
    for _ in range(STREAMS):
        i, j = rng.choice(systems, 2, replace=False)
        values = 0.5 + (truth[:, i] - truth[:, j]) / 8
        rows.append(values[rng.permutation(documents)[: documents // 4]])
        means.append(values.mean())
    held = holds(np.array(rows), np.array(means), 0.05)
    _covered(f"{STREAMS:,} draws of a quarter of SummEval", held)


def _summeval_budgets(truth: Float64, models: dict[str, Float64]) -> None:
    """The correlation of the subset's ranking with the full one, averaged over ten budgets."""
    rng = np.random.default_rng(3)
    print(f"      published, Spearman with the full ranking over budgets: {PUBLISHED}")
    chance = [_averaged(truth, rng.permutation(len(truth))) for _ in range(1000)]
    print(f"      here at random (1,000 orders): {100 * np.mean(chance):.1f} %")
    every = np.mean(list(models.values()), axis=0)
    for name, metric in {**models, "all six together": every}.items():
        ties = rng.random(len(truth))
        found = {
            "variance": _averaged(truth, np.lexsort((ties, -metric_variance(metric)))),
            "consistency": _averaged(truth, np.lexsort((ties, -consistency(metric)))),
        }
        shown = ", ".join(f"by {how} {100 * value:.1f} %" for how, value in found.items())
        print(f"      ratings of {name}: {shown}")
        if name == "all six together":
            best = found["variance"]
            claim = "by the variance of all six, against chance"
            report(claim, best - float(np.mean(chance)), "> 0", best > np.mean(chance))


def _averaged(truth: Float64, order: NDArray[np.int64]) -> float:
    full = truth.mean(axis=0)
    sizes = [int(share * len(truth)) for share in BUDGETS]
    return float(np.mean([stats.spearmanr(truth[order[:n]].mean(axis=0), full)[0] for n in sizes]))


def _summeval_judgements(truth: Float64, models: dict[str, Float64], judges: int) -> None:
    """Ratings needed for the full ranking, on random halves of SummEval as corpora.

    A document's ratings of all systems come at once by chance and by utility; adaptively, and by
    chance for comparison, a task has four systems of a document.
    """
    metric = np.mean(list(models.values()), axis=0)
    rng = np.random.default_rng(4)
    needed: dict[str, list[float]] = {}
    for number in range(CORPORA):
        part = np.sort(rng.permutation(len(truth))[:80])
        own, known = truth[part], metric[part]
        utility = np.lexsort((rng.random(len(part)), -metric_variance(known)))
        counts = {
            "documents by chance": _documents_needed(own, rng.permutation(len(part))),
            "documents by metric variance": _documents_needed(own, utility),
            "tasks of four systems by chance": _tasks_needed(own, number, floor=1.0),
            "tasks of four systems adaptively": _tasks_needed(own, number, floor=0.1),
        }
        for name, count in counts.items():
            needed.setdefault(name, []).append(judges * count)
    for name, counts in needed.items():
        print(f"      ratings until tau >= {ENOUGH} with all 80 documents, {name}: {_mean(counts)}")
    for name, against in (
        ("documents by metric variance", "documents by chance"),
        ("tasks of four systems adaptively", "tasks of four systems by chance"),
    ):
        saved = [1 - a / b for a, b in zip(needed[name], needed[against], strict=True)]
        print(f"      saved by {name}: {_mean(saved)}")


def _summeval_choices(truth: Float64) -> None:
    """Choices between two summaries, as the experts' means make them: until the ranking is there.

    The full ranking is by Bradley-Terry strengths of all 12,000 choices; rankings are looked at
    after every 50 of the first 4,000.
    """
    wins = np.zeros((truth.shape[1],) * 2)
    for i, j in combinations(range(truth.shape[1]), 2):
        signs = np.sign(truth[:, i] - truth[:, j])
        wins[i, j], wins[j, i] = ((1 + signs) / 2).sum(), ((1 - signs) / 2).sum()
    full = fit(wins[None])[0]
    needed = {
        name: [_choices_needed(truth, full, seed, floor) for seed in range(ORDERS)]
        for name, floor in (("by chance", 1.0), ("adaptively", 0.1))
    }
    for name, counts in needed.items():
        print(f"      choices until tau >= {ENOUGH} with all 12,000, {name}: {_mean(counts)}")
    saved = [1 - a / b for a, b in zip(needed["adaptively"], needed["by chance"], strict=True)]
    print(f"      saved by adaptive choices: {_mean(saved)}")


def _choices_needed(truth: Float64, full: Float64, seed: int, floor: float) -> int:
    names = [f"{number:02}" for number in range(truth.shape[1])]
    taus: list[float] = []
    wins = np.zeros((len(names), len(names)))

    def answer(document: str, systems: tuple[str, ...]) -> Sequence[Gap]:
        i, j = int(systems[0]), int(systems[1])
        sign = float(np.sign(truth[int(document), i] - truth[int(document), j]))
        wins[i, j] += (1 + sign) / 2
        wins[j, i] += (1 - sign) / 2
        if round(wins.sum()) % 50 == 0:
            taus.append(stats.kendalltau(fit(wins[None])[0], full)[0])
        return [Gap(document, systems[0], systems[1], sign)]

    documents = [str(number) for number in range(len(truth))]
    tasks = dict.fromkeys(combinations(names, 2), documents)
    rule = Rule("comparisons", "overall", floor=floor)
    simulate_campaign(tasks, answer, rule, seed=seed, most=4000, every=25)
    return 50 * _first_for_good(taus)


def _documents_needed(truth: Float64, order: NDArray[np.int64]) -> int:
    """Ratings of an order of documents from which on the ranking is the full one."""
    full = truth.mean(axis=0)
    means = np.cumsum(truth[order], axis=0)
    taus = [stats.kendalltau(row, full)[0] for row in means]
    return _first_for_good(taus) * truth.shape[1]


def _tasks_needed(truth: Float64, seed: int, *, floor: float) -> int:
    """The same for tasks of four systems, ranked by systems' effects beside the documents'."""
    full = truth.mean(axis=0)
    rankings = _task_rankings(truth, seed, floor)
    taus = [stats.kendalltau(effects, full)[0] for effects in rankings]
    return 5 * _first_for_good(taus) * 4


def _task_rankings(truth: Float64, seed: int, floor: float) -> Iterator[Float64]:
    """The systems' effects after every five tasks of an adaptive campaign to its very end."""
    rng = np.random.default_rng([seed, 5])
    documents, systems = truth.shape
    names = [f"{number:02}" for number in range(systems)]
    left: dict[tuple[str, ...], list[int]] = {}
    for document in range(documents):
        for group in rng.permutation(systems).reshape(-1, 4):
            left.setdefault(tuple(sorted(names[k] for k in group)), []).append(document)
    evidence = Evidence(Rule("ratings", "overall", 1, 5, floor=floor), tuple(names))
    moments = np.zeros((systems, systems)), np.zeros(systems)
    for number in range(documents * systems // 4):
        if number % 5 == 0:
            merits = merits_of(evidence)
        counts = {group: len(members) for group, members in left.items()}
        chosen = choose(counts, merits, floor, float(rng.random()))
        assert chosen is not None, "tasks are left"
        document = left[chosen.systems].pop(chosen.index)
        group = [int(name) for name in chosen.systems]
        gaps = combinations(group, 2)
        evidence = evidence.add(
            Gap(str(document), names[i], names[j], truth[document, i] - truth[document, j])
            for i, j in gaps
        )
        _add_block(moments, group, truth[document, group])
        if number % 5 == 4:
            yield np.linalg.lstsq(moments[0], moments[1], rcond=None)[0]


def _add_block(moments: tuple[Float64, Float64], group: list[int], values: Float64) -> None:
    """The normal equations of systems' effects, with the document's level taken out."""
    size = len(group)
    moments[0][np.ix_(group, group)] += np.eye(size) - 1 / size
    moments[1][group] += values - values.mean()


def _first_for_good(taus: Sequence[float]) -> int:
    """How many steps it takes until tau is high enough and stays so."""
    below = [step for step, tau in enumerate(taus, start=1) if not tau >= ENOUGH]
    return (below[-1] if below else 0) + 1


if __name__ == "__main__":
    main()
