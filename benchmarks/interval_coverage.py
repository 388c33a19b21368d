"""How often 95 % intervals hold the truth, and how wide they are with a helper and without.

Released judgements: SummEval as the alternative annotator test has it, 100 documents by 16 systems,
three experts' means as the truth and six language models' ratings as helpers, alone and together.
Again and again a quarter of the documents is drawn at random, their judgements are kept, and the
mean of all 100 documents is the truth. A quarter drawn without replacement says more about the 100
than about documents beyond them, so intervals for the corpus are measured (with the
finite-population correction); those for documents beyond it would hold the 100's mean too often.
Every draw counts, also where nearly all ratings are 5.

How intervals follow skew and spread was chosen on SummEval; DIP-SumEval played no part in that: 49
documents by ten systems, rated on eleven scales, of which 25 documents are drawn; the rating of
another scale is the helper.

Simulated judgements are drawn anew each time, so there the truth is that of all documents, and
intervals for documents beyond the corpus are measured, with a helper that is good, weak or noise.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas

from gistmark.analysis.data.measures import MeasureName, Measures
from gistmark.analysis.human import HumanScores
from gistmark.analysis.prediction_powered import Population, Powered, powered_estimates
from harness import report

_RELEASED = Path(os.environ.get("GISTMARK_PAPER_DATA", Path(__file__).parents[2] / "shared/data"))
DATA, DIP = _RELEASED / "alttest-summeval", _RELEASED / "dip-sumeval"
DRAWS = 2_000
SYSTEMS = 4
"""How many systems of SummEval each draw estimates, in turn; all would take hours."""


@dataclass
class Tally:
    """Whether intervals held the truth, and their widths."""

    held: list[bool] = field(default_factory=list)
    classical: list[bool] = field(default_factory=list)
    widths: list[float] = field(default_factory=list)
    alone: list[float] = field(default_factory=list)
    saved: list[int] = field(default_factory=list)
    missing: int = 0

    def add(self, record: Powered, truth: float) -> None:
        if record.low is None:  # no estimate at all, and the record says why
            self.missing += 1
            return
        self.held.append(record.low <= truth <= record.high)
        self.classical.append(record.classical_low <= truth <= record.classical_high)
        self.widths.append(record.high - record.low)
        self.alone.append(record.classical_high - record.classical_low)
        self.saved.append(record.saved)

    def row(self, name: str) -> str:
        width = np.mean(self.widths) / np.mean(self.alone)
        return (
            f"{name:48} {100 * np.mean(self.classical):6.1f} % {100 * np.mean(self.held):6.1f} % "
            f"{np.mean(self.alone):8.3f} {np.mean(self.widths):8.3f} {width:7.3f} "
            f"{np.median(self.saved):6.0f} "
            f"{100 * self.missing / (self.missing + len(self.held)):7.2f} %"
        )


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


def drawn(full: np.ndarray, metrics: np.ndarray, keep: int, draws: int) -> dict[str, Tally]:
    """Means and differences of a few systems in turn, from some of the documents."""
    tallies, rng = {"means": Tally(), "differences": Tally()}, np.random.default_rng(7)
    for draw in range(draws):
        columns = (SYSTEMS * draw + np.arange(SYSTEMS)) % full.shape[1]
        judged = full[:, columns].copy()
        judged[rng.permutation(len(full))[keep:]] = np.nan
        targets = full[:, columns].mean(axis=0)
        for record in estimates(metrics[:, :, columns], judged, "corpus"):
            left = int(record.left[1:])
            right = int(record.right[1:]) if record.right else None
            target = targets[left] - (0.0 if right is None else targets[right])
            tallies["differences" if record.right else "means"].add(record, float(target))
    return tallies


def quarters(draws: int) -> Iterator[tuple[str, Tally]]:
    """SummEval: every dimension with one model, and all models together."""
    means, helpers = released()
    for dimension, full in means.items():
        for name, rows in (("one model", [0]), ("six models", list(range(6)))):
            tallies = drawn(full, helpers[dimension][rows], len(full) // 4, draws)
            for kind, tally in tallies.items():
                yield f"SummEval {dimension}, {name}, {kind}", tally


def halves(draws: int) -> Iterator[tuple[str, Tally]]:
    """DIP-SumEval: every scale with the next one as its helper."""
    frame = pandas.read_csv(DIP / "LikertAnno.csv")
    scales = list(frame.columns[3:])
    means = frame.groupby(["topic", "method"])[scales].mean()
    tables = [means[scale].unstack().dropna().to_numpy() for scale in scales]
    for scale, full, metric in zip(scales, tables, [*tables[1:], tables[0]], strict=True):
        for kind, tally in drawn(full, metric[None], len(full) // 2 + 1, draws).items():
            yield f"DIP-SumEval {scale}, {kind}", tally


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
    print(f"{'':48} {holds} {widths} {'saved':>6} {'missing':>9}")
    tallies = [*simulated(draws)]
    for folder, measured in ((DATA, quarters), (DIP, halves)):
        if folder.exists():
            tallies += measured(draws)
        else:
            print(f"{folder.name} is not here, so it is not measured.")
    for name, tally in tallies:
        print(tally.row(name))
    for name, tally in tallies:
        for kind, hits in (("people alone", tally.classical), ("helped", tally.held)):
            share = 100 * float(np.mean(hits))
            report(f"{name}, {kind}: % of intervals that hold", share, ">= 93", share >= 93)
    noise = dict(tallies)["simulated, pure noise helper"]
    ratio = float(np.mean(noise.widths) / np.mean(noise.alone))
    report("width with a helper of pure noise over that without", ratio, "<= 1.03", ratio <= 1.03)


if __name__ == "__main__":
    main()
