from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.embedding import mover_score
from gistmark.metrics.embedding.mover_score import NO_TOKENS, TOO_LONG, MoverScore
from gistmark.metrics.embedding.token_vectors import rareness
from gistmark.models.encoders import encoder as open_encoder
from tiny_models import SENTENCES, encoder

GIST, OTHER = SENTENCES[:2]
PAIRS = list(pairwise(SENTENCES))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(encoder(tmp_path_factory.mktemp("models") / "tiny"))


def metric(model: str, **options: Any) -> MoverScore:
    return MoverScore(MoverScore.Options(model=model, layer=2, **options))


def by_pot(model: str, summary: str, target: str, texts: list[str] | None = None) -> float:
    """1 minus POT's exact distance between the tokens of two texts, by idf of texts if given."""
    import ot

    reader = open_encoder(model, layer=2)
    masses, points = [], []
    for text in reader.encode(reader.tokenize([summary, target])):
        inner = text.vectors[1:-1].astype(np.float64)
        points.append(inner / np.linalg.norm(inner, axis=1, keepdims=True))
        mass = np.ones(len(inner))
        if texts is not None:
            mass = rareness(reader, texts, long="windows").of(text.tokens[1:-1])
        masses.append(mass / mass.sum())
    return 1 - float(ot.emd2(*masses, ot.dist(*points, metric="euclidean")))


def test_distances_are_the_exact_ones_of_pot(tiny: str) -> None:
    result = metric(tiny).score(Batch.of([Item(s, (t,)) for s, t in PAIRS])).values[:, 0]
    assert result == pytest.approx([by_pot(tiny, s, t) for s, t in PAIRS], abs=1e-6)


def test_rare_tokens_weigh_more_with_idf(tiny: str, tmp_path: Path) -> None:
    """Weights go to the solver in steps of 1/10,000."""
    file = tmp_path / "texts.txt"
    file.write_text("\n".join(SENTENCES), encoding="utf-8")
    batch = Batch.of([Item(s, (t,)) for s, t in PAIRS])
    result = metric(tiny, idf=str(file)).score(batch).values[:, 0]
    expected = [by_pot(tiny, s, t, list(SENTENCES)) for s, t in PAIRS]
    assert result == pytest.approx(expected, abs=1e-4)
    assert np.abs(result - metric(tiny).score(batch).values[:, 0]).max() > 1e-5


def test_a_copy_has_no_way_to_go(tiny: str) -> None:
    assert metric(tiny).score(Batch.of([Item(GIST, (GIST,))])).values.tolist() == [[1.0]]


@pytest.mark.parametrize("item", [Item("", (GIST,)), Item(GIST, (" ",)), Item("", ("",))])
def test_an_empty_text_has_a_reason(tiny: str, item: Item) -> None:
    assert metric(tiny).score(Batch.of([item])).reasons == {0: NO_TOKENS}


def test_very_long_texts_have_a_reason_and_others_of_the_batch_a_value(
    tiny: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mover_score, "MOST_CELLS", 500)
    items = [Item(" ".join(SENTENCES), (OTHER,)), Item(GIST, (OTHER,)), Item("", (OTHER,))]
    result = metric(tiny).score(Batch.of(items))
    assert result.reasons == {0: TOO_LONG, 2: NO_TOKENS}
    assert result.values[1, 0] == pytest.approx(by_pot(tiny, GIST, OTHER), abs=1e-6)
