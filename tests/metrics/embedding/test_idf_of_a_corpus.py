"""With idf=corpus the texts that summaries are compared with are counted before the run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import gistmark
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.embedding.bertscore import BertScore
from gistmark.scoring.sources import TextPairs
from gistmark.scoring.work import score_batch
from tiny_models import SENTENCES

SUMMARIES = [SENTENCES[(place + 1) % 6] for place in range(6)]


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
