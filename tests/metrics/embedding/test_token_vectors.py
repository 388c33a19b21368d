"""What metrics on token vectors share: layers, weights of tokens, and idf of a corpus."""

from __future__ import annotations

from math import log
from pathlib import Path

import numpy as np
import pytest

import gistmark
from gistmark.errors import UsageError
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.embedding.bertscore import BertScore
from gistmark.metrics.embedding.token_vectors import (
    collection_of,
    equal_weights,
    rareness,
    read_collection,
    usual_layer,
)
from gistmark.models.catalogue import KNOWN
from gistmark.models.encoders import Encoder, encoder
from gistmark.scoring.sources import TextPairs
from gistmark.scoring.work import score_batch
from tiny_models import SENTENCES

SUMMARIES = [SENTENCES[(place + 1) % 6] for place in range(6)]


@pytest.mark.parametrize("name", [m.name for m in KNOWN.values() if m.kind == "encoder"])
def test_the_layers_of_the_thesis_models_are_those_of_bert_score(name: str) -> None:
    from bert_score.utils import model2layers

    assert usual_layer(name, 48) == model2layers[name]


def test_all_layers_that_are_known_are_those_of_bert_score() -> None:
    from bert_score.utils import model2layers

    from gistmark.metrics.embedding.token_vectors import _BEST_LAYERS

    theirs = {name.rpartition("/")[2]: layer for name, layer in model2layers.items()}
    assert {name: theirs[name] for name in _BEST_LAYERS} == dict(_BEST_LAYERS)


@pytest.mark.parametrize("name", ["FacebookAI/roberta-large", "models/roberta-large/"])
def test_account_and_folder_do_not_matter(name: str) -> None:
    assert usual_layer(name, 24) == 17


@pytest.mark.parametrize(
    ("layers", "expected"), [(24, 18), (12, 9), (6, 5), (4, 3), (2, 2), (1, 1)]
)
def test_others_are_read_three_quarters_up(layers: int, expected: int) -> None:
    assert usual_layer("nobody/measured-this", layers) == expected


def test_a_small_model_with_a_large_ones_name_is_read_three_quarters_up() -> None:
    assert usual_layer("roberta-large", 4) == 3


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


def values(pairs: TextPairs, spec: str, **settings: object) -> np.ndarray:
    table = gistmark.score(pairs, [spec], **settings).to_pandas()  # type: ignore[arg-type]
    return table["value"].to_numpy()


def test_the_values_are_those_of_a_file_with_the_references(tiny: str, tmp_path: Path) -> None:
    file = tmp_path / "references.txt"
    file.write_text("\n".join(SENTENCES), encoding="utf-8")
    pairs = TextPairs(SUMMARIES, SENTENCES)
    result = values(pairs, f"bertscore:model={tiny},idf=corpus", cache=False)
    assert result == pytest.approx(
        values(pairs, f"bertscore:model={tiny},idf={file}", cache=False), abs=1e-6
    )
    assert np.abs(result - values(pairs, f"bertscore:model={tiny}", cache=False)).max() > 1e-4


def test_a_reference_of_several_summaries_is_counted_once(tiny: str) -> None:
    spec = f"bertscore:model={tiny},idf=corpus"
    once = values(TextPairs(SUMMARIES, SENTENCES), spec, cache=False)
    twice = values(TextPairs(SUMMARIES * 2, SENTENCES * 2), spec, cache=False)
    assert twice[: len(once)] == pytest.approx(once, abs=1e-6)


def test_the_cache_tells_one_corpus_from_another(tiny: str, tmp_path: Path) -> None:
    spec = f"bertscore:model={tiny},idf=corpus"
    first = values(TextPairs(SUMMARIES, SENTENCES), spec, cache=tmp_path)
    smaller = TextPairs(SUMMARIES[:2], SENTENCES[:2])
    second = values(smaller, spec, cache=tmp_path)
    assert second == pytest.approx(values(smaller, spec, cache=False), abs=1e-6)
    assert np.abs(second - first[: len(second)]).max() > 1e-4


def test_the_signature_tells_the_corpus_by_a_hash(tiny: str) -> None:
    spec = f"bertscore:model={tiny},idf=corpus"
    scores = gistmark.score(TextPairs(SUMMARIES, SENTENCES), [spec], cache=False)
    assert "|idf:corpus@" in scores.signatures[spec]


def test_against_the_document_the_documents_are_counted(tiny: str) -> None:
    items = [Item(s, ("a reference",), d) for s, d in zip(SUMMARIES, SENTENCES, strict=True)]
    metric = BertScore(BertScore.Options(model=tiny, idf="corpus", against="document"))
    fitted = metric.for_corpus(lambda: [Batch.of(items[:3]), Batch.of(items[3:])])
    assert fitted._collection is not None
    assert sorted(fitted._collection.texts) == sorted(SENTENCES)


def test_a_single_batch_has_no_corpus_and_says_so(tiny: str) -> None:
    metric = BertScore(BertScore.Options(model=tiny, idf="corpus"))
    batch = Batch.of([Item(SENTENCES[0], (SENTENCES[1],))])
    (done,) = score_batch(batch, {"bertscore": metric}, {"bertscore": None})
    assert "whole corpus" in done.values["bertscore"].reasons[0]
