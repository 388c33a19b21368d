"""Presence of units by words, embeddings, a language model, and inference."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import tiny_models
from gistmark.errors import GistmarkError
from gistmark.metrics.batch import Batch
from gistmark.metrics.content_units.options import PyramidOptions
from gistmark.metrics.content_units.presence import (
    PASSAGE,
    Logistic,
    entailed,
    gains,
    location,
    presence,
    word_shares,
)
from gistmark.metrics.content_units.units import Unit
from gistmark.models.entailment import entailment_model
from gistmark.models.language_models.causal import causal_model

CRACK = Unit("A painter found a crack.")


@pytest.fixture(scope="module")
def inference(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_models.entailment_model(tmp_path_factory.mktemp("models") / "nli"))


@pytest.fixture(scope="module")
def language_model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tiny_models.causal_model(tmp_path_factory.mktemp("models") / "lm"))


def chances(options: PyramidOptions, *texts: str, unit: Unit = CRACK) -> list[float]:
    return presence(Batch.of([]), options, [(unit, text) for text in texts]).tolist()


def test_words_are_shares_of_content_words() -> None:
    options = PyramidOptions(presence="words")
    # {painter, found, crack}: two of three, none, and all of them.
    found = chances(options, "The painter saw a crack.", "It rained.", "A crack painters found.")
    assert found == pytest.approx([2 / 3, 0.0, 1.0])


@pytest.mark.parametrize("kind", ["words", "embeddings", "lm", "nli"])
def test_a_unit_word_for_word_is_present_and_an_empty_text_states_nothing(
    kind: str, inference: str, language_model: str
) -> None:
    model = {"nli": inference, "lm": language_model}.get(kind, "")
    options = PyramidOptions(presence=kind, model=model)  # type: ignore[arg-type]
    said = "Yesterday a painter FOUND a crack, they say."
    assert chances(options, said, "", "  ", "!") == [1.0, 0.0, 0.0, 0.0]


def test_a_unit_whose_sentence_is_there_is_present() -> None:
    unit = Unit("crack shut bridge", source="A crack shut the bridge.")
    options = PyramidOptions(presence="words")
    assert chances(options, "It rained. A crack shut the bridge!", unit=unit) == [1.0]


def test_the_likelihood_after_the_text_is_compared_with_that_alone(language_model: str) -> None:
    options = PyramidOptions(presence="lm", model=language_model)
    text = "The bridge closed on Tuesday."
    (gain,) = gains(Batch.of([]), options, [(CRACK, text)])
    assert gain == pytest.approx(_gain(language_model, CRACK.text, text), abs=1e-4)


def _gain(name: str, unit: str, text: str) -> float:
    """The same by the network alone, in two passes."""
    import torch

    model = causal_model(name)
    context, tokens = model.encode([f" {text}", f" {unit}"])

    def mean(before: Sequence[int]) -> float:
        ids = torch.tensor([[model.start, *before, *tokens]])
        with torch.inference_mode():
            logs = torch.log_softmax(model.network(ids).logits[0], dim=-1)
        first = len(before)
        each = [logs[first + position, token] for position, token in enumerate(tokens)]
        return float(torch.stack(each).mean())

    return mean(context) - mean(())


def test_of_a_long_text_the_best_passage_counts(inference: str) -> None:
    sentence = "Nothing of the kind happened here at all."
    text = " ".join([sentence] * 38 + ["The steel broke."])
    assert len(text.split()) == 307 > PASSAGE
    # 37 sentences of 8 words are 296, so the last one goes with what follows.
    passages = " ".join([sentence] * 37), f"{sentence} The steel broke."
    *each, whole = chances(PyramidOptions(model=inference), *passages, text)
    assert whole == pytest.approx(max(each), abs=1e-4)


def test_inference_by_two_and_three_classes() -> None:
    logits = np.array([[2.0, 1.0, 0.0], [1.0, 0.8, 0.8], [0.0, 1.0, -3.0]])
    two = [2.0 - 1.0, 1.0 - 1.6, 0.0 - (-2.0)]
    assert entailed(logits, "p2c") == pytest.approx(1 / (1 + np.exp(-np.array(two))))
    assert entailed(logits, "l2c").tolist() == [1.0, 0.0, 1.0]
    three = np.exp(logits[:, 0]) / np.exp(logits).sum(axis=1)
    assert entailed(logits, "p3c") == pytest.approx(three)
    assert entailed(logits, "l3c").tolist() == [1.0, 1.0, 0.0]


def test_entailment_stands_first_and_long_texts_are_cut(inference: str) -> None:
    model = entailment_model(inference)
    pairs = [("The bridge closed.", "It is shut."), ("bridge " * 400, "steel " * 400)]
    together = model.logits([*pairs, pairs[0]])
    assert together.shape == (3, 3)
    assert together[2] == pytest.approx(together[0])
    own = model.network(**model.tokenizer(*pairs[0], return_tensors="pt")).logits[0]
    contradiction, neutral, entailment = own.detach().tolist()
    assert together[0] == pytest.approx([entailment, contradiction, neutral], abs=1e-5)


def test_a_model_that_knows_no_entailment_is_refused(tmp_path: Path) -> None:
    folder = tiny_models.entailment_model(tmp_path / "mood", labels=("good", "bad"))
    with pytest.raises(GistmarkError, match="no single label for entailment: its labels are good"):
        entailment_model(str(folder))


def test_a_unit_is_located_in_the_sentence_that_has_most_of_its_words() -> None:
    text = "It rained. A painter found something. A painter found a crack."
    assert location(CRACK, text, "en") == (38, 62)
    assert location(CRACK, "It rained. Nothing else.", "en") is None
    assert location(CRACK, "It rained.", "en") == (0, 10)
    assert location(CRACK, "", "en") is None


def test_words_of_another_script_are_compared() -> None:
    options = PyramidOptions(presence="words", lang="ja")
    shares = word_shares(Batch.of([]), options, [(Unit("橋は閉鎖"), "橋が閉鎖された。")])
    assert 0.0 < shares[0] < 1.0


def test_a_logistic_model_adds_up_its_evidence() -> None:
    model = Logistic(-1.0, (2.0, 0.5))
    chance = model.probabilities(np.array([0.5, 1.0]), np.array([0.0, 2.0]))
    assert chance == pytest.approx([0.5, 1 / (1 + np.exp(-2.0))])
