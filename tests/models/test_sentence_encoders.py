from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gistmark.errors import GistmarkError
from gistmark.models.sentence_encoders import SentenceEncoder, sentence_encoder
from tiny_models import SENTENCES, encoder
from tiny_models import sentence_encoder as tiny

LONG = " ".join(SENTENCES)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> SentenceEncoder:
    return sentence_encoder(str(tiny(tmp_path_factory.mktemp("models") / "tiny")))


def theirs(folder: str | Path, texts: list[str]) -> np.ndarray:
    from sentence_transformers import SentenceTransformer

    result: np.ndarray = SentenceTransformer(str(folder), device="cpu").encode(texts)
    return result


@pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
def test_vectors_are_those_of_sentence_transformers(pooling: str, tmp_path: Path) -> None:
    folder = tiny(tmp_path / "model", pooling=pooling)
    texts = [*SENTENCES, "橋は閉鎖された。", "👍", " money ", LONG]
    result = sentence_encoder(str(folder)).embed(texts, long="cut")
    np.testing.assert_allclose(result, theirs(folder, texts), atol=1e-5)


def test_a_plain_encoder_gets_the_mean_of_its_tokens(tmp_path: Path) -> None:
    folder = encoder(tmp_path / "plain")
    result = sentence_encoder(str(folder)).embed(list(SENTENCES))
    np.testing.assert_allclose(result, theirs(folder, list(SENTENCES)), atol=1e-5)


def test_equal_texts_have_equal_vectors_in_their_places(model: SentenceEncoder) -> None:
    result = model.embed([SENTENCES[0], SENTENCES[1], SENTENCES[0]])
    np.testing.assert_array_equal(result[0], result[2])
    assert np.abs(result[0] - result[1]).max() > 1e-4


def test_company_changes_no_vector(model: SentenceEncoder) -> None:
    together = model.embed([*SENTENCES, LONG])
    for position, text in enumerate([*SENTENCES, LONG]):
        np.testing.assert_allclose(model.embed([text])[0], together[position], atol=1e-5)


def test_a_text_without_tokens_has_no_vector(model: SentenceEncoder) -> None:
    result = model.embed(["", " \n", SENTENCES[0]])
    assert np.isnan(result[:2]).all()
    assert np.isfinite(result[2]).all()


class TestLongTexts:
    def test_they_are_cut_into_whole_words_that_the_model_reads_to_the_end(
        self, model: SentenceEncoder
    ) -> None:
        pieces = model._pieces([LONG], "windows")[LONG]
        assert model.capacity == 30
        assert len(pieces) > 2
        assert " ".join(piece.text for piece in pieces) == LONG
        for piece in pieces:
            tokens = model.network.tokenizer(piece.text, add_special_tokens=False)["input_ids"]
            assert len(tokens) == piece.tokens <= 30

    def test_their_vector_is_the_mean_of_the_pieces_by_their_tokens(
        self, model: SentenceEncoder
    ) -> None:
        pieces = model._pieces([LONG], "windows")[LONG]
        rows = theirs(model.source.folder, [piece.text for piece in pieces])
        weights = np.array([piece.tokens for piece in pieces])
        expected = (weights[:, None] * rows).sum(axis=0) / weights.sum()
        np.testing.assert_allclose(model.embed([LONG])[0], expected, atol=1e-5)
        assert np.abs(model.embed([LONG], long="cut")[0] - expected).max() > 1e-4

    def test_one_word_that_is_too_long_is_cut_where_it_must_be(
        self, model: SentenceEncoder
    ) -> None:
        word = "weeksteel" * 11  # a word of over 100 letters would be one unknown token
        pieces = model._pieces([word], "windows")[word]
        assert "".join(piece.text for piece in pieces) == word
        assert len(pieces) > 1


def test_a_folder_without_weights_is_one_clear_sentence(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
    with (
        pytest.warns(UserWarning, match="no safetensors"),
        pytest.raises(GistmarkError, match="cannot be loaded"),
    ):
        sentence_encoder(str(tmp_path))
