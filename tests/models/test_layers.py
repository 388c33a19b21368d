from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import tiny_encoders
from gistmark.errors import GistmarkError
from gistmark.models.encoders import layer_count
from gistmark.models.loading import source_of
from tiny_models import causal_model, encoder


@pytest.mark.parametrize(
    "make",
    [
        encoder, tiny_encoders.bart, tiny_encoders.pegasus, tiny_encoders.albert,
        tiny_encoders.distilbert, tiny_encoders.deberta, tiny_encoders.t5, tiny_encoders.roberta,
    ],
)  # fmt: skip
def test_the_settings_of_every_kind_tell_how_many_layers_there_are(
    make: Callable[[Path], Path], tmp_path: Path
) -> None:
    assert layer_count(source_of(str(make(tmp_path / "t5")))) == 3


def test_the_layers_of_a_causal_model_are_counted_too(tmp_path: Path) -> None:
    assert layer_count(source_of(str(causal_model(tmp_path / "gpt")))) == 2


def test_settings_without_a_number_of_layers_are_an_error_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    with pytest.raises(GistmarkError, match="how many layers"):
        layer_count(source_of(str(tmp_path)))


def test_settings_that_cannot_be_read_are_an_error_that_names_the_file(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(GistmarkError, match=r"config\.json cannot be read"):
        layer_count(source_of(str(tmp_path)))
