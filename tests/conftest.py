"""What all tests share: the papers' released data, and how hypothesis runs."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

from gistmark.models import models_folder

# Few examples of every property, the same ones each time; `make test-long` draws many others.
settings.register_profile("few", deadline=None, max_examples=20, derandomize=True)
settings.register_profile("many", deadline=None, max_examples=500)
settings.load_profile(os.environ.get("GISTMARK_EXAMPLES") or "few")

# Tests move GISTMARK_CACHE; the models stay where `gistmark models get` put them.
os.environ.setdefault("GISTMARK_MODELS", str(models_folder()))
# Test files run side by side, so a model gets one core.
os.environ.setdefault("GISTMARK_THREADS", "1")


def pytest_collection_finish() -> None:
    """Spare the collector the thousands of collected tests, which stay to the end anyway."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(scope="session", autouse=True)
def embed_fonts_quickly() -> None:
    """Leave out tables that no PDF uses; matplotlib takes them apart for a third of its time."""
    try:
        from fontTools.subset import Options
    except ImportError:
        return
    Options._drop_tables_default = [*Options._drop_tables_default, "GSUB", "GPOS", "GDEF"]


@pytest.fixture(scope="session")
def paper_data() -> Path:
    """The folder of the papers' released data, which is not part of the project."""
    named = os.environ.get("GISTMARK_PAPER_DATA")
    folder = Path(named) if named else Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip(f"the papers' released data are not in {folder}; set GISTMARK_PAPER_DATA")
    return folder
