"""The validation experiments of BLANC: what is replaced by what, and a run on a tiny model."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gistmark.corpus import Corpus
from gistmark.errors import GistmarkError, UsageError
from gistmark.papers.blanc_validation import (
    Duel,
    Validation,
    random_sentences,
    random_words,
    validate,
)
from gistmark.records import Document, Summary
from gistmark.report.pages.validation import validation_json, validation_table, write_validation
from tiny_models import SENTENCES, llama

DOCUMENT = " ".join(SENTENCES)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def test_random_words_are_the_documents_own_and_as_many_as_asked():
    made = random_words(DOCUMENT, 9, rng())
    assert len(made.split()) == 9
    assert set(made.rstrip(".").split()) <= {word.rstrip(".") for word in DOCUMENT.split()} | set(
        DOCUMENT.split()
    )


def test_random_sentences_are_whole_and_reach_the_length():
    made = random_sentences(DOCUMENT, 10, rng())
    parts = [sentence for sentence in SENTENCES if sentence in made]
    assert sum(len(part.split()) for part in parts) == len(made.split()) >= 10


def test_nothing_is_made_of_an_empty_document():
    assert random_words("", 5, rng()) == ""
    assert random_sentences("", 5, rng()) == ""


def test_wins_count_only_the_higher_values():
    duel = Duel("words", np.array([0.3, 0.2, 0.1, 0.0]), np.array([0.1, 0.2, 0.3, -0.1]))
    assert duel.wins == 0.5  # 0.3 > 0.1 and 0.0 > -0.1; an equal value is no win


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    three = " ".join(SENTENCES[:3])
    return Corpus(
        documents=(Document("one", (DOCUMENT,)), Document("two", (" ".join(SENTENCES[:4]),))),
        summaries=(
            Summary("one", "system", three),
            Summary("two", "system", SENTENCES[1]),
            Summary("two", "gold", SENTENCES[0], reference=True),
        ),
    )


@pytest.fixture(scope="module")
def result(corpus: Corpus, tmp_path_factory: pytest.TempPathFactory) -> Validation:
    folder = llama(tmp_path_factory.mktemp("models") / "tiny")
    return validate(corpus, metric=f"blanc-help:model={folder}", sample=10, seed=1)


def test_each_written_summary_has_a_bad_counterpart(result: Validation):
    assert len(result.words.written) == len(result.words.bad) == 2
    assert len(result.sentences.written) == 2
    assert result.spoiled.shape == (1, 4), "one summary has three sentences"
    assert "guard:none" in result.signature


def test_the_seed_decides(corpus: Corpus, result: Validation, tmp_path: Path):
    folder = llama(tmp_path / "tiny")
    again = validate(corpus, metric=f"blanc-help:model={folder}", sample=10, seed=1)
    np.testing.assert_array_equal(again.spoiled, result.spoiled)
    np.testing.assert_array_equal(again.words.bad, result.words.bad)


def test_the_folder_has_page_figures_and_every_value(result: Validation, tmp_path: Path):
    page = write_validation(result, tmp_path / "out")
    text = page.read_text(encoding="utf-8")
    assert text.count("<svg") == 2
    assert "random sentences" in text
    told = json.loads((tmp_path / "out" / "validation.json").read_text(encoding="utf-8"))
    assert told == json.loads(validation_json(result))
    assert told["duels"][0]["written"] == result.words.written.tolist()
    assert (tmp_path / "out" / "figures" / "validation_duels.svg").is_file()


def test_the_table_has_a_row_for_each_number_of_replaced_sentences(result: Validation):
    rows = validation_table(result).rows
    assert [row[0] for row in rows] == [
        "random words", "random sentences", "1 of 3 sentences replaced",
        "2 of 3 sentences replaced", "3 of 3 sentences replaced",
    ]  # fmt: skip
    assert rows[2][3] == pytest.approx(result.spoiled[:, 1].mean())


@pytest.mark.parametrize("metric", ["rouge1", "blanc-help:guard=skip"])
def test_only_blanc_help_with_a_guard_of_its_own_is_validated(corpus: Corpus, metric: str):
    with pytest.raises(UsageError, match="cannot be validated"):
        validate(corpus, metric=metric)


def test_a_model_that_cannot_be_had_is_one_sentence(corpus: Corpus, tmp_path: Path):
    with pytest.raises(GistmarkError, match="Nothing could be scored: "):
        validate(corpus, metric=f"blanc-help:model={tmp_path}")


def test_a_corpus_without_summaries_is_refused():
    with pytest.raises(GistmarkError, match="no summaries with documents"):
        validate(Corpus(documents=(Document("one", (DOCUMENT,)),)))
