"""`Paper`: where its released data are, how they are read, and what is computed from them.

Each published value is a `Cell` beside ours, with a verdict.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Literal

from gistmark.analysis.studies.options import StudyOptions
from gistmark.analysis.studies.pipeline import study
from gistmark.analysis.studies.records import Difference
from gistmark.analysis.studies.results import Study
from gistmark.corpus import Corpus
from gistmark.corpus.formats import FORMATS, read
from gistmark.errors import GistmarkError, UsageError, unknown_name
from gistmark.papers.metrics import paper_scores
from gistmark.scoring import Scores, score
from gistmark.scoring.run import Progress

Verdict = Literal["exact", "within rounding", "differs", "not checked", "no print"]

Source = Literal["print", "recomputed"]

UNEXPLAINED = "We do not know why the values differ."

UNDEFINED = "The data in the folder give no value."


@dataclass(frozen=True, slots=True)
class Cell:
    """A value of a table or figure.

    `published` is what the paper prints, with `decimals` digits behind the point, and `value` what
    its released data give. `source` is `print` where the paper itself has the number, and
    `recomputed` where it shows a colour or a bar: the number in `published` is then not the
    paper's, but what another program computed from the same data. `why` says what a reader should
    know; it is never empty where the values differ or the value was not checked.
    """

    table: str
    row: str
    column: str
    published: float | None
    value: float | None
    decimals: int
    verdict: Verdict
    why: str = ""
    source: Source = "print"


def cell(
    table: str,
    row: str,
    column: str,
    published: float | None,
    value: float | None,
    decimals: int,
    *,
    why: str = "",
    source: Source = "print",
) -> Cell:
    """A cell with the verdict that its numbers call for."""
    value = None if value is None or math.isnan(value) else float(value)
    verdict = verdict_on(published, value, decimals)
    why = why or {"differs": UNEXPLAINED, "not checked": UNDEFINED}.get(verdict, "")
    return Cell(table, row, column, published, value, decimals, verdict, why, source)


def verdict_on(published: float | None, value: float | None, decimals: int) -> Verdict:
    """How a recomputed value compares with the print.

    `exact`: it rounds to the print. `within rounding`: it is at most one unit of the last printed
    digit away. `differs`: it is further away. `not checked`: nothing was computed. `no print`: the
    paper has no such value.
    """
    if value is None:
        return "not checked"
    if published is None:
        return "no print"
    printed = Decimal(f"{published:.{decimals}f}")
    if Decimal(f"{value:.{decimals}f}") == printed:
        return "exact"
    unit = Decimal(1).scaleb(-decimals)
    return "within rounding" if abs(Decimal(value) - printed) <= unit else "differs"


Printed = Mapping[str, Sequence[float | None]]
"""A printed table: the values of each row; None where the print has none."""


def unchecked(
    table: str, columns: Sequence[str], printed: Printed, decimals: int, why: str
) -> Iterator[Cell]:
    """The cells of a printed table that are not computed, and why not."""
    for row, values in printed.items():
        for column, published in zip(columns, values, strict=True):
            if published is not None:
                yield cell(table, row, column, published, None, decimals, why=why)


def beside(
    table: str,
    columns: Sequence[str],
    printed: Printed,
    values: Mapping[tuple[str, str], float | None],
    decimals: int,
    *,
    why: str = "",
) -> Iterator[Cell]:
    """The cells of a printed table beside `values`, by row and column; `why` where they differ."""
    for row, row_printed in printed.items():
        for column, published in zip(columns, row_printed, strict=True):
            if published is not None:
                value = values[row, column]
                same = verdict_on(published, value, decimals) == "exact"
                yield cell(
                    table, row, column, published, value, decimals,
                    why="" if same else why,
                )  # fmt: skip


def summary_line(cells: Sequence[Cell]) -> str:
    """How many printed values were checked, how they came out, and what else was computed."""
    printed = [cell for cell in cells if cell.published is not None and cell.source == "print"]
    recomputed = [cell for cell in cells if cell.source == "recomputed"]
    verdicts = Counter(cell.verdict for cell in printed)
    skipped = verdicts["not checked"]
    sentences = [
        f"Checked {len(printed) - skipped} of {_count(len(printed), 'printed value')}: "
        f"{verdicts['exact']} exact, {verdicts['within rounding']} within rounding, "
        f"{verdicts['differs']} different; {skipped} not checked."
    ]
    if recomputed:
        exact = sum(cell.verdict == "exact" for cell in recomputed)
        sentences.append(
            f"Behind figures: {exact} of {_count(len(recomputed), 'value')} agree with another "
            "program to the last digit."
        )
    if extra := sum(cell.verdict == "no print" for cell in cells):
        sentences.append(f"Not in the paper: {_count(extra, 'further value')}.")
    return " ".join(sentences)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


RESAMPLES = 200
"""Enough for intervals beside a recomputed table, and every paper stays under a minute."""


@dataclass(frozen=True)
class Release:
    """A paper's data: the corpus that is studied, and optional files, by name.

    `scores` are those of the paper's metrics, by its names for them, where it has any.
    """

    corpus: Corpus
    optional: Mapping[str, Corpus] = field(default_factory=dict)
    scores: Scores | None = None


@dataclass(frozen=True)
class DifferencePlot:
    """A figure of how much more closely metrics follow people than a baseline does.

    There is a panel for each human score; without `differences` there was no metric to draw.
    """

    figure: str
    title: str
    differences: Sequence[Difference]


@dataclass(frozen=True)
class SharePlot:
    """A figure of shares of a whole, each with a name."""

    figure: str
    title: str
    shares: Mapping[str, float]


Plot = DifferencePlot | SharePlot


@dataclass(frozen=True)
class Paper:
    """A paper that can be recomputed.

    `home` is where the public copy of its data lives, `inside` the folder of that repository that
    holds them, `files` what is expected there; `source` is the one that its format reads, the
    folder itself by default. `optional` files are read too where they are in the folder. `metrics`
    are those of its study. `aliases` are metrics of its tables that may need models, by the paper's
    names for them; `plots` are figures of the paper that a study does not have.
    """

    name: str
    citation: str
    home: str
    files: Sequence[str]
    compute: Callable[[Release], Sequence[Cell]]
    inside: str = ""
    source: str = ""
    optional: Sequence[str] = ()
    metrics: Sequence[str] = ()
    baseline: str = "rouge1"
    scales: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    aliases: Mapping[str, str] = field(default_factory=dict)
    plots: Callable[[Release], Sequence[Plot]] = lambda release: ()

    def read(self, data: Path) -> Release:
        """What is in a folder of released data, or in a folder that holds such folders.

        In optional files, two ratings by one annotator of one summary count as their mean.
        """
        folder, reader = locate(self, data), FORMATS.get(self.name)
        present = [name for name in self.optional if (folder / name).exists()]
        optional = {name: read(reader, folder / name, {"on_duplicate": "mean"}) for name in present}
        return Release(reader.read(folder / self.source), optional)

    def with_scores(
        self,
        release: Release,
        *,
        wanted: Sequence[str] = (),
        file: Scores | None = None,
        progress: Progress | None = None,
    ) -> Release:
        """The release with scores by the paper's metrics, as `paper_scores` has them."""
        scores = paper_scores(
            self.aliases, release.corpus, wanted=wanted, file=file, progress=progress
        )
        return replace(release, scores=scores)

    def cells(self, release: Release) -> tuple[Cell, ...]:
        """Every value of the paper beside ours; other data than its own are refused."""
        try:
            return tuple(self.compute(release))
        except (KeyError, UsageError) as error:
            raise GistmarkError(
                f"These are not the released data of {self.name}: systems, dimensions or "
                "annotators that the paper reports on are missing; the public copy is at "
                f"{self.home}."
            ) from error

    def study(self, corpus: Corpus) -> tuple[Study, Scores]:
        """A study of the corpus with the metrics that fit it."""
        scores = score(corpus, list(self.metrics), cache=False)
        options = StudyOptions(baseline=self.baseline, scales=self.scales, resamples=RESAMPLES)
        return study(corpus, scores, options), scores


def locate(paper: Paper, data: Path) -> Path:
    """The folder with the paper's files: `data`, or the one in it with the paper's name.

    A clone of the public repository will do too.
    """
    candidates = [data, data / paper.name, *([data / paper.inside] if paper.inside else [])]
    for folder in candidates:
        if all((folder / name).exists() for name in paper.files):
            return folder
    begun = [folder for folder in candidates if any((folder / f).exists() for f in paper.files)]
    raise GistmarkError(_absence(paper, begun[0] if begun else data, begun=bool(begun)))


def expectation(paper: Paper) -> str:
    """What the folder must hold and where the public copy lives, as the end of a sentence."""
    folder = f", folder {paper.inside}" if paper.inside else ""
    return f"{_listed(paper.files)}; the public copy is at {paper.home}{folder}"


def _absence(paper: Paper, folder: Path, *, begun: bool) -> str:
    missing = [name for name in paper.files if not (folder / name).exists()]
    lack = f"in {folder} lack {_listed(missing)}" if begun else f"are not in {folder}"
    return f"The released data of {paper.name} {lack}; expected: {expectation(paper)}."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


_HERE = "gistmark.papers"

_PAPERS: Mapping[str, str] = {
    "highres": f"{_HERE}.highres",
    "blanc": f"{_HERE}.blanc",
    "dip-sumeval": f"{_HERE}.dip_sumeval",
    "emfos": f"{_HERE}.emfos",
}


def paper_names() -> tuple[str, ...]:
    """The papers that can be recomputed."""
    return tuple(_PAPERS)


def paper_named(name: str) -> Paper:
    """The paper of this name; an unknown one is an error that lists the known ones."""
    if name not in _PAPERS:
        raise unknown_name("paper", name, paper_names())
    paper: Paper = import_module(_PAPERS[name]).PAPER
    return paper
