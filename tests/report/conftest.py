"""What the tests of the report share: a study of the sample, a big one, and their reports."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gistmark.analysis import StudyOptions
from gistmark.analysis import study as make_study
from gistmark.analysis.studies.results import Study
from gistmark.corpus import Corpus, load, sample_folder
from gistmark.records import Document, Rating, Summary
from gistmark.report import write_report
from gistmark.report.views import View
from gistmark.scoring import Scores, score

METRICS = ["rouge1", "rouge2", "rougeL", "hrouge1", "hrouge2", "js", "words"]
LONG = "bert_lstm_pn_rl_a_system_with_a_very_long_name_indeed_out"
WORDS = ("time", "year", "people", "way", "day", "man", "thing", "woman", "life", "child")


@pytest.fixture(scope="session")
def sample() -> Corpus:
    return load(sample_folder())


@pytest.fixture(scope="session")
def scores(sample: Corpus) -> Scores:
    return score(sample, METRICS, cache=False)


@pytest.fixture(scope="session")
def study(sample: Corpus, scores: Scores) -> Study:
    return make_study(sample, scores, StudyOptions(resamples=50))


@pytest.fixture(scope="session")
def view(study: Study, sample: Corpus, scores: Scores) -> View:
    return View(study, sample, scores, "rouge1")


@pytest.fixture(scope="session")
def report(
    study: Study, sample: Corpus, scores: Scores, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The folder of the sample's report."""
    folder = tmp_path_factory.mktemp("report")
    assert write_report(study, sample, scores, folder) == folder / "report.html"
    return folder


def big_corpus(systems: int = 25, documents: int = 18) -> Corpus:
    """Systems of falling quality that one annotator rated on one dimension, as in REALSumm."""
    rng = np.random.default_rng(7)
    names = [f"system_{n:02}_out" for n in range(systems - 1)] + [LONG]
    result: dict[str, list] = {"documents": [], "summaries": [], "ratings": []}
    for number in range(documents):
        id, text = f"d{number}", " ".join(rng.choice(WORDS, 60))
        result["documents"].append(Document(id, (text,)))
        result["summaries"].append(Summary(id, "gold", " ".join(text.split()[:12]), reference=True))
        for position, name in enumerate(names):
            kept = 12 - position * 10 // systems
            words = [*text.split()[:kept], *rng.choice(WORDS, 12 - kept)]
            result["summaries"].append(Summary(id, name, " ".join(words)))
            value = float(np.round(kept / 12 + rng.normal(0, 0.1), 3))
            result["ratings"].append(Rating(id, name, "pyramid", "litepyramid recall", value))
    return Corpus(**{kind: tuple(records) for kind, records in result.items()})


@pytest.fixture(scope="session")
def big_view() -> View:
    """25 systems, one dimension, one annotator, and metrics with more parts than systems."""
    corpus = big_corpus()
    metrics = ["rouge1", "rouge2", "rougeL", "rougeLsum", "js", "kl", "repeated1", "words"]
    scores = score(corpus, metrics, cache=False)
    return View(make_study(corpus, scores, StudyOptions(resamples=50)), corpus, scores, "rouge1")
