"""`Paper`: where its released data are, how they are read, and what is computed from them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gistmark.analysis.results import Study
from gistmark.analysis.study import StudyOptions, study
from gistmark.corpus import Corpus
from gistmark.corpus.formats import FORMATS
from gistmark.errors import GistmarkError, UsageError
from gistmark.papers.cells import Cell
from gistmark.scoring import Scores, score

RESAMPLES = 200
"""Enough for intervals beside a recomputed table, and every paper stays under a minute."""


@dataclass(frozen=True)
class Release:
    """A paper's data: the corpus that is studied, and optional files, by name."""

    corpus: Corpus
    optional: Mapping[str, Corpus] = field(default_factory=dict)


@dataclass(frozen=True)
class Paper:
    """A paper that can be recomputed.

    `home` is where the public copy of its data lives, `inside` the folder of that repository that
    holds them, `files` what is expected there; `source` is the one that its format reads, the
    folder itself by default. `optional` files are read too where they are in the folder. `metrics`
    are those of its study.
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

    def read(self, data: Path) -> Release:
        """What is in a folder of released data, or in a folder that holds such folders."""
        folder, read = locate(self, data), FORMATS.get(self.name).read
        present = [name for name in self.optional if (folder / name).exists()]
        return Release(read(folder / self.source), {name: read(folder / name) for name in present})

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
    return f"The released data of {paper.name} {lack}: expected are {expectation(paper)}."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
