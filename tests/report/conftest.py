"""What the tests of the report share: a study of the sample, and its report."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from gistmark.corpus import Corpus, load, sample_folder
from gistmark.report import write_report
from gistmark.report.views import View
from gistmark.scoring import Scores, score
from gistmark.study.results import Study


def load_handmade() -> ModuleType:
    """The module next to this file; tests are not a package."""
    spec = importlib.util.spec_from_file_location(
        "gistmark_handmade_study", Path(__file__).with_name("handmade.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def handmade() -> ModuleType:
    return load_handmade()


@pytest.fixture(scope="session")
def sample() -> Corpus:
    return load(sample_folder())


@pytest.fixture(scope="session")
def scores(sample: Corpus, handmade: ModuleType) -> Scores:
    return score(sample, handmade.METRICS, cache=False)


@pytest.fixture(scope="session")
def study(sample: Corpus, scores: Scores, handmade: ModuleType) -> Study:
    return handmade.handmade_study(sample, scores)


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
