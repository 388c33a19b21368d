"""Planted summaries: in order of quality, and made of the document's words."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements import propose_missing_planted, propose_planted
from gistmark.judgements.checks.planted import same_words, scrambled, with_mistakes
from gistmark.records import Document, Summary
from gistmark.text import sentences, words


@pytest.fixture(scope="module")
def bare(sample: Corpus) -> Corpus:
    return replace(sample, planted=())


def neighbours(text: str) -> set[tuple[str, str]]:
    return set(pairwise(words(text)))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_good_one_is_the_reference_and_the_others_are_further_and_further_from_the_text(
    bare: Corpus, seed: int
):
    result = propose_missing_planted(bare, seed=seed)
    assert not result.problems
    assert len(result.planted) == 14
    for triple in result.planted:
        assert triple.document is not None
        assert triple.good == bare.references[triple.document][0].text
        text = neighbours(bare.document(triple.document).text)

        def ordinary(made: str, text: set[tuple[str, str]] = text) -> float:
            pairs = neighbours(made)
            return len(pairs & text) / len(pairs)

        assert ordinary(triple.bad) < 0.25 < 0.4 < ordinary(triple.mediocre) < 0.9


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_bag_of_words_tells_which_texts_were_planted(bare: Corpus, seed: int):
    for triple in propose_missing_planted(bare, seed=seed).planted:
        mediocre, bad = Counter(words(triple.mediocre)), Counter(words(triple.bad))
        assert mediocre != bad
        assert (mediocre & bad).total() < 0.7 * min(mediocre.total(), bad.total())


def test_the_bad_one_looks_like_ordinary_text_from_afar(bare: Corpus):
    """It has capital letters within, and as many sentences and commas as its source had."""
    triples = propose_missing_planted(bare, seed=1).planted
    assert not any(triple.bad[0].islower() or triple.bad[-1].isalnum() for triple in triples)
    assert sum("," in triple.bad for triple in triples) > 4
    assert sum(len(sentences(triple.bad)) > 1 for triple in triples) > 4


def test_a_document_of_one_sentence_gives_a_bad_one_with_fewer_words():
    text = "The old bridge over the river was closed on Tuesday after a painter found a crack."
    triple = propose_planted("bridge", text, "A crack closed the bridge.", seed=1)
    assert not same_words(triple.mediocre, triple.bad)


def test_planted_summaries_are_about_as_long_as_the_good_one(bare: Corpus):
    for triple in propose_missing_planted(bare, seed=1).planted:
        assert 0.8 < len(triple.mediocre.split()) / len(triple.good.split()) < 3


def test_documents_that_have_a_triple_get_no_other(sample: Corpus):
    assert propose_missing_planted(sample, seed=1).planted == ()


def test_the_seed_decides(bare: Corpus):
    first = propose_missing_planted(bare, seed=1)
    assert first == propose_missing_planted(bare, seed=1)
    assert first != propose_missing_planted(bare, seed=2)


def test_what_cannot_be_planted_is_told():
    corpus = Corpus(
        documents=(
            Document("bare", ("One two three four five six.",)),
            Document("tiny", ("Yes.",)),
        ),
        summaries=(Summary("tiny", "gold", "It is so.", reference=True),),
    )
    result = propose_missing_planted(corpus, seed=1)
    assert result.planted == ()
    assert [str(problem) for problem in result.problems] == [
        "Document 'bare' has no reference to plant as the good summary.",
        "Document 'tiny' is too short to plant summaries: it has fewer than 6 words.",
    ]
    with pytest.raises(UsageError, match="too short"):
        propose_planted("tiny", "Yes.", "It is so.", seed=1)


def test_mistakes_keep_capitals_and_punctuation():
    made = {with_mistakes("The men were here, and she was.", np.random.default_rng(n)) for n in
            range(20)}  # fmt: skip
    assert "The men was here, and her was." in made
    assert "The men were here, and she was." not in made
    assert all(text.endswith((" were.", " was.")) for text in made)


def test_a_language_without_rules_gets_words_doubled_and_swapped():
    text = "eins zwei drei vier fünf sechs sieben acht neun zehn"
    made = with_mistakes(text, np.random.default_rng(1)).split()
    assert set(made) == set(text.split())
    assert len(made) == 10 + 10 // 5
    assert made != text.split()


def test_scrambling_leaves_few_neighbours():
    text = "One two three four five six seven eight nine ten eleven twelve."
    made = scrambled(text, np.random.default_rng(1))
    assert sorted(words(made)) == sorted(words(text))
    assert len(neighbours(made) & neighbours(text)) <= 1
    assert made[0].isupper()
    assert made.endswith(".")
    assert scrambled("One.", np.random.default_rng(1)) == "One."
