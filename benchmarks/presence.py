"""How well content units are found without people: on PyrXSum, by cross-validation over documents.

PyrXSum (Zhang and Bansal 2021) has 478 units that people wrote for 100 references, and whether each
of ten systems' summaries states them. The evidence of the metric `pyramid` (words, embeddings,
language model) is turned into a probability by a logistic model that was fitted to the documents of
nine folds and is judged on those of the tenth. Intervals are the middle 95 % of 1,000 resamples of
documents. It also prints the coefficients of all documents, which
`gistmark/metrics/content_units/presence.py` holds.

    python benchmarks/presence.py [--data FOLDER] [--lm] [--evidence FILE.npz]

Last come whole metrics beside people's shares of units: the pyramid on units that are extracted
from the references, for which people's work was used only in the calibration, and two others.

With `--lm` the language model is used too, alone and together with the others, which takes long;
`--evidence` keeps the evidence in a file and reads it from there the next time.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from gistmark.analysis.correlation.pearson import product_moment
from gistmark.corpus import Corpus
from gistmark.corpus.formats import FORMATS
from gistmark.metrics.batch import Batch
from gistmark.metrics.content_units.options import PyramidOptions
from gistmark.metrics.content_units.presence import Logistic, gains, token_matches, word_shares
from gistmark.metrics.content_units.units import Unit
from gistmark.scoring import score
from harness import report

DATA = Path(__file__).parents[2] / "shared" / "data" / "pyrxsum"
FOLDS, RESAMPLES, SEED = 10, 1_000, 17
FLOOR = "share of words"
"""What there is without any fitting, and what presence has to beat."""
WHOLE = {
    "pyramid:units=extracted": "value",
    "pyramid:units=extracted,presence=words": "value",
    "rouge1:stem=yes": "recall",
    "bertscore": "recall",
}
KINDS = {"words": (0,), "embeddings": (1, 2), "combined": (0, 1, 2)}
WITH_LM = {"lm": (3,), "combined and lm": (0, 1, 2, 3)}
"""The evidence that each kind of presence uses."""


@dataclass(frozen=True)
class Marks:
    """A row for each mark: its document, system, evidence, and whether people found the unit."""

    documents: np.ndarray
    systems: np.ndarray
    evidence: np.ndarray
    present: np.ndarray


def marks_of(corpus: Corpus, file: Path | None, *, lm: bool) -> Marks:
    """The marks of a corpus with their evidence, computed or read from a file."""
    documents = {id: number for number, id in enumerate(corpus.document_ids)}
    systems = {name: number for number, name in enumerate(corpus.systems)}
    marks = corpus.presence
    return Marks(
        np.array([documents[mark.document] for mark in marks]),
        np.array([systems[mark.system] for mark in marks]),
        _evidence(corpus, file, lm=lm),
        np.array([mark.present for mark in marks]),
    )


def _evidence(corpus: Corpus, file: Path | None, *, lm: bool) -> np.ndarray:
    if file is not None and file.exists():
        return np.load(file)["evidence"]
    texts = {(each.document, each.system): each.text for each in corpus.summaries}
    units = {(unit.document, unit.id): Unit(unit.text) for unit in corpus.units}
    pairs = [(units[m.document, m.unit], texts[m.document, m.system]) for m in corpus.presence]
    batch = Batch.of([])
    options = PyramidOptions(presence="combined")
    columns = [word_shares(batch, options, pairs), *token_matches(batch, options, pairs)]
    if lm:
        columns.append(gains(batch, PyramidOptions(presence="lm"), pairs))
    evidence = np.column_stack(columns)
    if file is not None:
        np.savez(file, evidence=evidence)
    return evidence


def fitted(evidence: np.ndarray, present: np.ndarray) -> Logistic:
    """The logistic model of the greatest likelihood, by Newton's method."""
    rows = np.column_stack([np.ones(len(evidence)), evidence])
    weights = np.zeros(rows.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (present - chance)
        curve = (rows * (chance * (1 - chance))[:, None]).T @ rows
        weights += np.linalg.solve(curve, slope)
    return Logistic(float(weights[0]), tuple(map(float, weights[1:])))


def held_out(marks: Marks, columns: Sequence[int]) -> np.ndarray:
    """The probability of each mark by a model that has not seen its document."""
    count = int(marks.documents.max()) + 1
    folds = (np.random.default_rng(SEED).permutation(count) % FOLDS)[marks.documents]
    chances = np.empty(len(marks.present))
    for fold in range(FOLDS):
        seen, left = folds != fold, folds == fold
        model = fitted(marks.evidence[seen][:, columns], marks.present[seen])
        chances[left] = model.probabilities(*marks.evidence[left][:, columns].T)
    return chances


def auc(values: np.ndarray, present: np.ndarray) -> float:
    """The chance that a unit that is there has a greater value than one that is not."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[inverse]
    positives = int(present.sum())
    total = ranks[present].sum() - positives * (positives + 1) / 2
    return float(total / (positives * (len(present) - positives)))


def accuracy(values: np.ndarray, present: np.ndarray) -> float:
    return float(((values >= 0.5) == present).mean())


@dataclass(frozen=True)
class Tables:
    """Means over the units of a document, documents by systems."""

    values: np.ndarray
    people: np.ndarray

    def system_level(self, rows: np.ndarray) -> float:
        means = self.values[rows].mean(axis=0), self.people[rows].mean(axis=0)
        return float(product_moment(*means))

    def summary_level(self, rows: np.ndarray) -> float:
        """The mean over documents; those in which the ten systems are alike say nothing."""
        return float(np.nanmean(self._by_document[rows]))

    @cached_property
    def _by_document(self) -> np.ndarray:
        told = np.ptp(self.people, axis=1) * np.ptp(self.values, axis=1) > 0
        result = np.full(len(self.people), np.nan)
        result[told] = product_moment(self.values[told], self.people[told])
        return result


def tables(marks: Marks, values: np.ndarray) -> Tables:
    shape = (int(marks.documents.max()) + 1, int(marks.systems.max()) + 1)
    sums, people, counts = np.zeros(shape), np.zeros(shape), np.zeros(shape)
    at = (marks.documents, marks.systems)
    np.add.at(sums, at, values)
    np.add.at(people, at, marks.present)
    np.add.at(counts, at, 1)
    return Tables(sums / counts, people / counts)


def measures(marks: Marks, values: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
    """The four numbers of some documents, which may come several times."""
    table = tables(marks, values)
    own = [np.flatnonzero(marks.documents == row) for row in range(len(table.values))]

    def measured(rows: np.ndarray) -> np.ndarray:
        chosen = np.concatenate([own[row] for row in rows])
        here, there = values[chosen], marks.present[chosen]
        return np.array([
            auc(here, there), accuracy(here, there),
            table.system_level(rows), table.summary_level(rows),
        ])  # fmt: skip

    return measured


def whole_metrics(corpus: Corpus, marks: Marks, draws: Sequence[np.ndarray]) -> None:
    """Print how metrics on the references follow people's shares of units."""
    people = tables(marks, marks.present).people
    scores = score(corpus, list(WHOLE), cache=False)
    values = {(s.document, s.system, s.metric, s.part): s.value for s in scores}
    for metric, part in WHOLE.items():
        own = [[values[d, s, metric, part] for s in corpus.systems] for d in corpus.document_ids]
        table = Tables(np.array(own, dtype=float), people)

        def measured(rows: np.ndarray, table: Tables = table) -> np.ndarray:
            return np.array([table.system_level(rows), table.summary_level(rows)])

        resampled = np.array([measured(rows) for rows in draws])
        print(f"{metric:40}" + _row(measured(np.arange(len(people))), resampled))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--lm", action="store_true")
    parser.add_argument("--evidence", type=Path)
    given = parser.parse_args()
    if not given.data.is_dir():
        raise SystemExit(f"PyrXSum is not in {given.data}; --data names its folder.")
    kinds = KINDS | (WITH_LM if given.lm else {})
    corpus = FORMATS.get("pyrxsum").read(given.data)
    marks = marks_of(corpus, given.evidence, lm=given.lm)
    count = int(marks.documents.max()) + 1
    values = {FLOOR: marks.evidence[:, 0]}
    values |= {kind: held_out(marks, columns) for kind, columns in kinds.items()}
    measured = {kind: measures(marks, own) for kind, own in values.items()}
    rng = np.random.default_rng(SEED)
    draws = [rng.integers(count, size=count) for _ in range(RESAMPLES)]
    resampled = {kind: np.array([own(rows) for rows in draws]) for kind, own in measured.items()}
    majority = max(marks.present.mean(), 1 - marks.present.mean())
    print(f"{len(marks.present):,} marks, {marks.present.mean():.3f} present; "
          f"accuracy of the majority {majority:.3f}")  # fmt: skip
    print(f"{'':16}" + "".join(f"{name:>24}" for name in ("AUC", "accuracy", "system", "summary")))
    everything = np.arange(count)
    for kind, own in measured.items():
        print(f"{kind:16}" + _row(own(everything), resampled[kind]))
    better = resampled["combined"] - resampled[FLOOR]
    plain = measured["combined"](everything) - measured[FLOOR](everything)
    print(f"{'difference':16}" + _row(plain, better))
    for kind, columns in kinds.items():
        print(kind, fitted(marks.evidence[:, columns], marks.present))
    whole_metrics(corpus, marks, draws)
    low = np.percentile(better, 2.5, axis=0)
    for column, name, least in ((0, "AUC", 0.0), (2, "system-level Pearson", -0.02)):
        claim = f"combined over the share of words, {name}, low end of the interval"
        report(claim, float(low[column]), f"> {least:g}", low[column] > least)


def _row(values: np.ndarray, resampled: np.ndarray) -> str:
    low, high = np.percentile(resampled, [2.5, 97.5], axis=0)
    cells = zip(values, low, high, strict=True)
    return "".join(f"{value:8.3f} [{a:6.3f}, {b:6.3f}]" for value, a, b in cells)


if __name__ == "__main__":
    main()
