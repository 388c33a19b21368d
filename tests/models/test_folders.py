"""Where models are kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.models import models_folder
from gistmark.models.store import hub_folder


def test_the_folder_is_the_chosen_one_or_lies_in_the_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    assert models_folder() == tmp_path / "models"
    monkeypatch.delenv("GISTMARK_MODELS")
    monkeypatch.setenv("GISTMARK_CACHE", "/cache")
    assert models_folder() == Path("/cache/models")
    monkeypatch.delenv("GISTMARK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert models_folder() == Path("/xdg/gistmark/models")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert models_folder() == Path.home() / ".cache" / "gistmark" / "models"


def test_the_hub_folder_is_that_of_the_hub_library(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    assert hub_folder() == tmp_path / "hub"
    monkeypatch.delenv("HF_HUB_CACHE")
    monkeypatch.setenv("HF_HOME", "/hf")
    assert hub_folder() == Path("/hf/hub")
    monkeypatch.delenv("HF_HOME")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert hub_folder() == Path("/xdg/huggingface/hub")
