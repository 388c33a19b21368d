"""Encoders: vectors of tokens, layers, and windows over long texts."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tiny_encoders
from gistmark.errors import GistmarkError
from gistmark.models.encoders import Encoder, Window, encoder, layer_count, windows
from gistmark.models.loading import source_of
from tiny_models import SENTENCES, causal_model
from tiny_models import encoder as tiny_bert

Folder = Callable[[Callable[..., Path]], Path]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    """The folder of a tiny model, made once."""
    made: dict[Any, Path] = {}

    def of(make: Callable[..., Path]) -> Path:
        if make not in made:
            made[make] = make(tmp_path_factory.mktemp("models") / make.__name__)
        return made[make]

    return of


@pytest.fixture(scope="module")
def bert(folder: Folder) -> Encoder:
    return encoder(str(folder(tiny_bert)), layer=2)


def states(place: Path, text: str, layer: int) -> np.ndarray:
    """The hidden states of one text, by transformers itself with all layers computed."""
    import torch
    from transformers import AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(place).eval()
    with torch.no_grad():
        read = model(**AutoTokenizer.from_pretrained(place)(text, return_tensors="pt"),
                     output_hidden_states=True)  # fmt: skip
    return read.hidden_states[layer][0].numpy()


@pytest.mark.parametrize("layer", [1, 2, 3])
def test_vectors_are_the_hidden_states_of_the_chosen_layer(folder: Folder, layer: int) -> None:
    model = encoder(str(folder(tiny_bert)), layer=layer)
    result = model.encode(model.tokenize(SENTENCES))
    for sentence, text in zip(SENTENCES, result, strict=True):
        expected = states(folder(tiny_bert), sentence, layer)
        np.testing.assert_allclose(text.vectors, expected, atol=1e-5)
        assert len(text.tokens) == len(expected)


def test_layers_above_the_chosen_one_are_not_computed(folder: Folder) -> None:
    model = encoder(str(folder(tiny_bert)), layer=1)
    assert len(model.network.encoder.layer) == 1


@pytest.mark.parametrize(
    ("make", "layers"),
    [
        (tiny_encoders.bart, lambda network: len(network.layers)),
        (tiny_encoders.pegasus, lambda network: len(network.layers)),
        (tiny_encoders.t5, lambda network: len(network.encoder.block)),
        (tiny_encoders.roberta, lambda network: len(network.encoder.layer)),
        (tiny_encoders.albert, lambda network: network.encoder.config.num_hidden_layers),
        (tiny_encoders.distilbert, lambda network: len(network.transformer.layer)),
        (tiny_encoders.deberta, lambda network: len(network.encoder.layer)),
        (causal_model, lambda network: len(network.h)),
    ],
)
def test_every_kind_of_model_can_be_cut_and_gives_a_vector_for_each_token(
    folder: Folder, make: Callable[..., Path], layers: Callable[[Any], int]
) -> None:
    model = encoder(str(folder(make)), layer=1)
    assert layers(model.network) == 1
    assert not hasattr(model.network, "decoder")
    text = model.encode(model.tokenize([SENTENCES[0]]))[0]
    assert text.vectors.shape == (len(text.tokens), 32)
    whole = encoder(str(folder(make)))
    other = whole.encode(whole.tokenize([SENTENCES[0]]))[0]
    assert np.abs(text.vectors - other.vectors).max() > 1e-3


@pytest.mark.parametrize("layer", [0, 4])
def test_a_layer_that_is_not_there_is_an_error_that_says_which_are(
    folder: Folder, layer: int
) -> None:
    with pytest.raises(GistmarkError, match="has layers 1 to 3"):
        encoder(str(folder(tiny_bert)), layer=layer)


def test_company_in_the_batch_changes_no_vector(bert: Encoder) -> None:
    tokens = bert.tokenize(SENTENCES)
    together = bert.encode(tokens)
    for alone, text in zip(tokens, together, strict=True):
        np.testing.assert_allclose(bert.encode([alone])[0].vectors, text.vectors, atol=1e-5)


@pytest.fixture
def shapes(bert: Encoder, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Rows and columns of every batch that goes through the tiny BERT from now on."""
    seen: list[tuple[int, int]] = []
    forward = bert.network.forward

    def watched(input_ids: Any, **others: Any) -> Any:
        seen.append(tuple(input_ids.shape))
        return forward(input_ids, **others)

    monkeypatch.setattr(bert.network, "forward", watched)
    return seen


def test_equal_texts_are_computed_once(bert: Encoder, shapes: list[tuple[int, int]]) -> None:
    bert.encode(bert.tokenize([SENTENCES[0], SENTENCES[1], SENTENCES[0]]))
    assert sum(rows for rows, _ in shapes) == 2


def test_a_batch_keeps_to_the_token_budget(
    bert: Encoder, shapes: list[tuple[int, int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GISTMARK_TOKENS", "60")
    bert.encode(bert.tokenize(SENTENCES))
    assert len(shapes) > 1
    assert max(rows * columns for rows, columns in shapes) <= 60


class TestLongTexts:
    text = " ".join(SENTENCES) * 6

    def test_every_token_has_its_vector_from_the_window_where_it_is_most_central(
        self, bert: Encoder
    ) -> None:
        from gistmark.models.encoders import windows

        tokens = bert.tokenize([self.text])[0]
        assert len(tokens) > 3 * bert.capacity
        whole = bert.encode([tokens])[0]
        assert whole.tokens == (*bert.before, *tokens, *bert.after)
        spread = windows(len(tokens), bert.capacity)
        assert len(spread) > 3
        for window in spread:
            alone = bert.encode([tokens[window.start : window.end]])[0]
            np.testing.assert_allclose(
                whole.vectors[1 + window.first : 1 + window.last],
                alone.vectors[1 + window.first - window.start : 1 + window.last - window.start],
                atol=1e-5,
            )

    def test_special_tokens_have_theirs_from_the_first_and_the_last_window(
        self, bert: Encoder
    ) -> None:
        tokens = bert.tokenize([self.text])[0]
        whole = bert.encode([tokens])[0]
        first = bert.encode([tokens[: bert.capacity]])[0]
        last = bert.encode([tokens[-bert.capacity :]])[0]
        np.testing.assert_allclose(whole.vectors[0], first.vectors[0], atol=1e-5)
        np.testing.assert_allclose(whole.vectors[-1], last.vectors[-1], atol=1e-5)

    def test_cut_off_they_are_what_the_model_reads(self, bert: Encoder) -> None:
        tokens = bert.tokenize([self.text])[0]
        cut = bert.encode([tokens], long="cut")[0]
        assert len(cut.tokens) == bert.longest
        same = bert.encode([tokens[: bert.capacity]])[0]
        np.testing.assert_array_equal(cut.vectors, same.vectors)

    def test_their_first_vector_is_the_mean_of_the_windows_by_their_tokens(
        self, bert: Encoder
    ) -> None:
        """189 tokens by 126: windows 0-126 and 63-189 share 63-126, whose middle is 94."""
        tokens = bert.tokenize([self.text])[0][:189]
        assert bert.capacity == 126
        left, right = bert.first_vectors([tokens[:126], tokens[63:]])
        result = bert.first_vectors([tokens])[0]
        np.testing.assert_allclose(result, (94 * left + 95 * right) / 189, atol=1e-5)


def test_the_first_vector_is_that_of_the_first_special_token(bert: Encoder) -> None:
    tokens = bert.tokenize(SENTENCES)
    expected = [text.vectors[0] for text in bert.encode(tokens)]
    np.testing.assert_allclose(bert.first_vectors(tokens), expected, atol=1e-6)


def test_special_tokens_are_those_of_the_tokenizer(folder: Folder, bert: Encoder) -> None:
    assert (len(bert.before), len(bert.after)) == (1, 1)
    assert bert.separators == {*bert.before, *bert.after}
    t5 = encoder(str(folder(tiny_encoders.t5)))
    assert (t5.before, len(t5.after), t5.separators) == ((), 1, frozenset())


def test_a_text_for_roberta_starts_with_a_space_as_its_other_words_do(folder: Folder) -> None:
    model = encoder(str(folder(tiny_encoders.roberta)))
    once, twice = model.tokenize(["bridge", " bridge  bridge "])
    assert twice[: len(once)] == once


def test_positions_that_roberta_does_not_use_are_not_counted(folder: Folder) -> None:
    """128 positions, of which the filling's number and those before it, 0 and 1, are not used."""
    model = encoder(str(folder(tiny_encoders.roberta)))
    assert model.longest == 126
    model.encode([model.tokenize([TestLongTexts.text])[0]])


def test_texts_are_stripped_and_a_blank_one_has_no_tokens(bert: Encoder) -> None:
    blank, plain, spaced = bert.tokenize(["\n ", "the bridge", "  the bridge \n"])
    assert blank == ()
    assert plain == spaced != ()
    assert bert.tokenize([]) == []


@pytest.mark.parametrize(
    "make",
    [
        tiny_bert, tiny_encoders.bart, tiny_encoders.pegasus, tiny_encoders.albert,
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


@pytest.mark.parametrize("length", [0, 1, 7, 8])
def test_a_text_that_fits_is_one_window(length: int) -> None:
    assert windows(length, 8) == [Window(0, length, 0, length)]


def test_windows_overlap_and_each_token_is_where_it_is_most_central() -> None:
    """12 tokens by 8: windows 0-8 and 4-12 share 4-8, whose middle is 6."""
    assert windows(12, 8) == [Window(0, 8, 0, 6), Window(4, 12, 6, 12)]


@pytest.mark.parametrize("length", [9, 13, 14, 15, 100, 1001])
@pytest.mark.parametrize("size", [1, 2, 3, 8])
def test_every_token_belongs_to_the_window_with_the_nearest_middle(length: int, size: int) -> None:
    result = windows(length, size)
    owners = [
        position for position, window in enumerate(result) for _ in range(window.first, window.last)
    ]
    assert len(owners) == length
    for token, owner in enumerate(owners):
        reading = [position for position, w in enumerate(result) if w.start <= token < w.end]
        middles = {
            position: abs(result[position].start + result[position].end - 2 * token)
            for position in reading
        }
        assert owner in reading
        # Between two middles equally near, or a token's breadth apart, either will do.
        assert middles[owner] <= min(middles.values()) + 2


@pytest.mark.parametrize("length", [9, 100, 1001])
def test_neighbours_share_a_quarter_at_least(length: int) -> None:
    result = windows(length, 8)
    assert all(window.end - window.start == 8 for window in result)
    for left, right in pairwise(result):
        assert left.end - right.start >= 2
