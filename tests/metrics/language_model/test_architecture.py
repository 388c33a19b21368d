from __future__ import annotations

import json
from pathlib import Path

import pytest

from gistmark.errors import GistmarkError
from gistmark.metrics.language_model.blanc_help import BlancHelp
from gistmark.metrics.language_model.predictions import (
    Architecture,
    architecture_of,
    known_architecture,
)
from gistmark.metrics.options import LANGUAGE_MODEL


def folder(path: Path, architecture: str) -> str:
    path.mkdir(exist_ok=True)
    (path / "config.json").write_text(json.dumps({"architectures": [architecture]}))
    return str(path)


@pytest.mark.parametrize(
    ("architecture", "way"),
    [
        ("BertForMaskedLM", "masked"),
        ("RobertaForMaskedLM", "masked"),
        ("BertForPreTraining", "masked"),
        ("GPT2LMHeadModel", "causal"),
        ("LlamaForCausalLM", "causal"),
    ],
)
def test_the_architecture_tells_the_way(
    tmp_path: Path, architecture: str, way: Architecture
) -> None:
    name = folder(tmp_path / "model", architecture)
    assert architecture_of(name) == known_architecture(name) == way


@pytest.mark.parametrize("architecture", ["BertModel", "T5ForConditionalGeneration"])
def test_a_model_of_neither_kind_is_an_error_that_names_one_that_is(
    tmp_path: Path, architecture: str
) -> None:
    name = folder(tmp_path / "model", architecture)
    with pytest.raises(GistmarkError, match=f"{architecture}.* neither .* bert-base-uncased"):
        architecture_of(name)
    assert known_architecture(name) is None


def test_the_embedded_language_model_is_causal_whether_or_not_it_is_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GISTMARK_MODELS", str(tmp_path))
    assert architecture_of(LANGUAGE_MODEL) == known_architecture(LANGUAGE_MODEL) == "causal"


def test_a_model_that_is_not_here_tells_nothing_and_is_not_fetched(tmp_path: Path) -> None:
    assert known_architecture(str(tmp_path / "nowhere")) is None
    assert known_architecture("nobody/nothing") is None


def test_the_signature_tells_the_way_if_it_is_known(tmp_path: Path) -> None:
    name = folder(tmp_path / "model", "BertForMaskedLM")
    told = BlancHelp(BlancHelp.Options(model=name)).signature
    assert told.startswith("blanc-help|v:")
    assert told.endswith("|way:masked")
    untold = BlancHelp(BlancHelp.Options(model="nobody/nothing")).signature
    assert "|model:nobody/nothing@missing|" in untold
    assert "way:" not in untold
