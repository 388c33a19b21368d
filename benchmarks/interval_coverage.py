"""How often 95 % intervals hold the truth, and how wide they are with a helper and without.

Released judgements: SummEval as the alternative annotator test has it, 100 documents by 16 systems,
three experts' means as the truth and six language models' ratings as helpers, alone and together.
Again and again a quarter of the documents is drawn at random, their judgements are kept, and the
mean of all 100 documents is the truth. A quarter drawn without replacement says more about the 100
than about documents beyond them, so intervals for the corpus are measured (with the
finite-population correction); those for documents beyond it would hold the 100's mean too often.
Where nearly all ratings are 5, intervals of 25 documents come with a caution (Cochran's rule), and
are counted apart.

Simulated judgements are drawn anew each time, so there the truth is that of all documents, and
intervals for documents beyond the corpus are measured, with a helper that is good, weak or noise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gistmark.analysis.human import HumanScores
from gistmark.analysis.measures import MeasureName, Measures
from gistmark.analysis.prediction_powered import Population, Powered, powered_estimates
from harness import report

DATA = Path(__file__).parents[2] / "shared" / "data" / "alttest-summeval"
DRAWS = 2_000
SYSTEMS = 4
"""So many systems of SummEval are estimated in each draw, in turn: all would take hours."""


@dataclass
class Tally:
    """Whether intervals held the truth, and their widths."""

    held: list[bool] = field(default_factory=list)
    classical: list[bool] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    alone: list[float] = field(default_factory=list)
    saved: list[int] = field(default_factory=list)
    cautioned: list[bool] = field(default_factory=list)

    def add(self, record: Powered, truth: float) -> None:
        if record.low is None:  # all values of a draw are equal, and the record says so
            return
        if record.caution is not None:
            self.cautioned.append(record.low <= truth <= record.high)
            return
        self.held.append(record.low <= truth <= record.high)
        self.classical.append(record.classical_low <= truth <= record.classical_high)
        self.widths.append(record.high - record.low)
        self.alone.append(record.classical_high - record.classical_low)
        self.saved.append(record.saved)

    def row(self, name: str) -> str:
        width = np.mean(self.widths) / np.mean(self.alone)
        return (
            f"{name:42} {100 * np.mean(self.classical):6.1f} % {100 * np.mean(self.held):6.1f} % "
            f"{np.mean(self.alone):8.3f} {np.mean(self.widths):8.3f} {width:7.3f} "
            f"{np.median(self.saved):6.0f} {self._cautions()}"
        )

    def _cautions(self) -> str:
        """How many intervals came with a caution, and how many of these held the truth."""
        count = len(self.cautioned)
        share = count / (count + len(self.held))
        held = f", {100 * np.mean(self.cautioned):.1f} % hold" if count else ""
        return f"{100 * share:5.1f} %{held}"


def estimates(
    metrics: np.ndarray, human: np.ndarray, population: Population, helper: str = "all"
) -> tuple[Powered, ...]:
    """Metrics × documents × systems, and documents × systems with NaN where nobody judged."""
    documents, systems = human.shape
    units = tuple((f"d{d}", f"s{s}") for d in range(documents) for s in range(systems))
    names = tuple(MeasureName(f"m{k}", "value") for k in range(len(metrics)))
    measures = Measures(units, names, ("higher",) * len(names), metrics.reshape(len(names), -1))
    scores = HumanScores(units, ("overall",), human.reshape(1, -1), np.ones((1, len(units)), int))
    return powered_estimates(measures, helper, scores, population=population)


def released() -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """By dimension: people's means, documents × systems, and models × documents × systems."""
    people = json.loads((DATA / "human_annotations.json").read_text(encoding="utf-8"))
    models = json.loads((DATA / "llm_annotations.json").read_text(encoding="utf-8"))
    keys = [key.split("__") for key in next(iter(people.values()))]
    documents, systems, dimensions = (sorted({key[k] for key in keys}) for k in range(3))

    def table(ratings: dict[str, float], dimension: str) -> np.ndarray:
        return np.array([[ratings.get(f"{d}__{s}__{dimension}", np.nan) for s in systems]
                         for d in documents], dtype=float)  # fmt: skip

    means = {d: np.mean([table(each, d) for each in people.values()], axis=0) for d in dimensions}
    helpers = {d: np.array([table(each, d) for each in models.values()]) for d in dimensions}
    means["mean of four"] = np.mean(list(means.values()), axis=0)
    helpers["mean of four"] = np.mean(list(helpers.values()), axis=0)
    return means, helpers


def quarters(draws: int) -> Iterator[tuple[str, Tally]]:
    """Every dimension with one model, the best alone, and all models together."""
    means, helpers = released()
    for dimension, truth in means.items():
        for name, rows in (("first model", [0]), ("all six models", list(range(6)))):
            tally, rng = Tally(), np.random.default_rng(7)
            for draw in range(draws):
                columns = (SYSTEMS * draw + np.arange(SYSTEMS)) % truth.shape[1]
                full, metrics = truth[:, columns], helpers[dimension][rows][:, :, columns]
                judged = full.copy()
                judged[rng.permutation(len(full))[len(full) // 4 :]] = np.nan
                targets = full.mean(axis=0)
                for record in estimates(metrics, judged, "corpus"):
                    left = int(record.left[1:])
                    right = int(record.right[1:]) if record.right else None
                    target = targets[left] - (0.0 if right is None else targets[right])
                    tally.add(record, float(target))
            yield f"SummEval {dimension}, {name}", tally


def simulated(draws: int) -> Iterator[tuple[str, Tally]]:
    """Two systems, 200 documents of which 50 are judged; the helper is good, weak or noise."""
    for name, noise, slope in (("good", 0.5, 1.0), ("weak", 2.0, 1.0), ("pure noise", 1.0, 0.0)):
        tally, rng = Tally(), np.random.default_rng(11)
        for _ in range(draws):
            full = rng.normal([3.0, 3.4], 1.0, (200, 2))
            metrics = (slope * full + rng.normal(0, noise, full.shape))[None]
            judged = full + rng.normal(0, 0.3, full.shape)
            judged[50:] = np.nan
            for record, target in zip(estimates(metrics, judged, "beyond"), (3.0, 3.4, -0.4),
                                      strict=True):  # fmt: skip
                tally.add(record, target)
        yield f"simulated, {name} helper", tally


def main(draws: int = DRAWS) -> None:
    holds, widths = f"{'people':>8} {'helped':>8}", f"{'width':>8} {'helped':>8} {'ratio':>7}"
    print(f"{'':42} {holds} {widths} {'saved':>6} cautioned")
    tallies = [*simulated(draws)]
    if DATA.exists():
        tallies += quarters(draws)
    else:
        print(f"{DATA.name} is not here, so only simulated judgements are measured.")
    for name, tally in tallies:
        print(tally.row(name))
    for name, tally in tallies:
        for kind, hits in (("people alone", tally.classical), ("helped", tally.held)):
            share = 100 * float(np.mean(hits))
            report(
                f"{name}, {kind}: % of intervals that hold", share, "93 to 97", 93 <= share <= 97
            )
    noise = dict(tallies)["simulated, pure noise helper"]
    ratio = float(np.mean(noise.widths) / np.mean(noise.alone))
    report("width with a helper of pure noise over that without", ratio, "<= 1.03", ratio <= 1.03)


if __name__ == "__main__":
    main()
