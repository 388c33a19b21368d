from __future__ import annotations

from math import log
from pathlib import Path

import pytest

from gistmark.errors import UsageError
from gistmark.metrics.embedding.token_vectors import (
    collection_of,
    equal_weights,
    rareness,
    read_collection,
)
from gistmark.models.encoders import Encoder, encoder


@pytest.fixture(scope="module")
def model(tiny: str) -> Encoder:
    return encoder(tiny, layer=1)


def test_equal_weights_leave_out_only_what_marks_start_and_end(model: Encoder) -> None:
    (tokens,) = model.tokenize(["the bridge"])
    result = equal_weights(model).of((*model.before, *tokens, *model.after))
    assert result.tolist() == [0.0, *[1.0] * len(tokens), 0.0]


def test_rareness_is_the_logarithm_of_texts_over_texts_with_the_token(model: Encoder) -> None:
    """Of 3 texts, `bridge` is in 2, `the` in 3, `steel` in none: log(4/3), log(4/4), log(4/1)."""
    texts = ["the bridge", "the bridge the bridge", "the crack"]
    weights = rareness(model, texts, long="windows")
    the, bridge, steel = (model.tokenize([word])[0] for word in ("the", "bridge", "steel"))
    assert weights.of(bridge) == pytest.approx([log(4 / 3)] * len(bridge))
    assert weights.of(the).tolist() == [0.0]
    assert weights.of(steel) == pytest.approx([log(4)] * len(steel))
    assert weights.of((*model.before, *model.after)).tolist() == [0.0, 0.0]


def test_what_the_model_does_not_read_of_a_text_is_not_counted_where_texts_are_cut(
    model: Encoder,
) -> None:
    text = "the " * model.longest + "steel"
    (steel,) = model.tokenize(["steel"])
    assert rareness(model, [text], long="windows").of(steel).tolist() == [0.0] * len(steel)
    assert rareness(model, [text], long="cut").of(steel) == pytest.approx([log(2)] * len(steel))


def test_the_label_of_a_collection_depends_on_its_texts_and_not_on_their_order() -> None:
    first = collection_of(["a", "b", " "], "corpus")
    assert first == collection_of(["b", "a"], "corpus")
    assert first.label != collection_of(["a", "a", "b"], "corpus").label
    assert first.label != collection_of(["ab"], "corpus").label
    assert first.label.startswith("corpus@")


def test_a_file_has_a_text_on_each_line(tmp_path: Path) -> None:
    file = tmp_path / "some|texts.txt"
    file.write_text("One text.\n\nAnother.\n", encoding="utf-8")
    result = read_collection(str(file))
    assert sorted(result.texts) == ["Another.", "One text."]
    assert result.label.startswith("some|texts.txt@")


@pytest.mark.parametrize(
    ("content", "problem"), [(None, "No such file"), (b"\n \n", "no text"), (b"\xff", "not UTF-8")]
)
def test_a_file_without_texts_is_one_clear_sentence(
    tmp_path: Path, content: bytes | None, problem: str
) -> None:
    file = tmp_path / "texts.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UsageError, match=problem):
        read_collection(str(file))
