from __future__ import annotations

import pytest

from gistmark.metrics.embedding.token_vectors import usual_layer
from gistmark.models.catalogue import KNOWN


@pytest.mark.parametrize("name", [m.name for m in KNOWN.values() if m.kind == "encoder"])
def test_the_layers_of_the_thesis_models_are_those_of_bert_score(name: str) -> None:
    from bert_score.utils import model2layers

    assert usual_layer(name, 48) == model2layers[name]


def test_all_layers_that_are_known_are_those_of_bert_score() -> None:
    from bert_score.utils import model2layers

    from gistmark.metrics.embedding.token_vectors import _BEST

    theirs = {name.rpartition("/")[2]: layer for name, layer in model2layers.items()}
    assert {name: theirs[name] for name in _BEST} == dict(_BEST)


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
