"""H5's words and nuggets, worked by hand."""

from __future__ import annotations

import pytest

from gistmark.records import Document
from gistmark.summarizers import Sentence, Source
from gistmark.summarizers.hierarchical.growing import (
    Grown,
    Taught,
    Weighty,
    grown_nuggets,
    taught_joining,
)
from gistmark.summarizers.hierarchical.labels import lesson_from
from gistmark.summarizers.hierarchical.word_weights import PRIOR, Weights, taught_weights

TEXT = "Storms hit the north coast. Storms came late."


def sentences(*texts: str) -> list[Sentence]:
    return [Sentence(text, 0, len(text), 0, place) for place, text in enumerate(texts)]


def test_a_word_weighs_as_much_as_it_is_frequent():
    first, second = Weights()(sentences("Storms hit the coast.", "A storm came."))
    assert first.weights == [1, 0.5, 0, 0.5]
    assert second.stems == [None, "storm", "came"]


def test_lifts_multiply_and_the_heaviest_word_weighs_1():
    (words,) = Weights({"cat": 4.0, "dog": 2.0})(sentences("Cat dog bird"))
    assert words.weights == [1, 0.5, 0.25]


def test_lifts_come_from_relevant_sentences():
    lesson = lesson_from(Source(Document("d", ("Cats sleep. Dogs bark.",)), ("Cats sleep.",)))
    lifts = taught_weights([lesson]).lifts
    # Of four words two are relevant. cat: (1 + PRIOR / 2) / (1 + PRIOR) over 1/2.
    assert lifts["cat"] == pytest.approx((1 + PRIOR / 2) / (1 + PRIOR) * 2)
    assert lifts["dog"] == pytest.approx((PRIOR / 2) / (1 + PRIOR) * 2)


def test_nuggets_grow_from_heavy_words_over_stop_words_to_heavy_words():
    # storm 3, coast 2, others 1 of seven different words: the mean is 10/7 of 3, so only storm
    # and coast weigh as much as usual.
    words = Weights()(
        sentences("A storm of the coast passed", "coast storm hit", "storm near town", "calm sea")
    )
    found = grown_nuggets(words, Weighty())
    # "of the" is two stop words: only the nearer of them stands before a heavy word.
    assert found == [Grown(0, 1, 1), Grown(1, 0, 1), Grown(2, 0, 0), Grown(0, 4, 4)]


def test_no_content_words_no_nuggets():
    assert grown_nuggets(Weights()(sentences("It is.", "...")), Weighty()) == []


def test_a_taught_rule_adds_up_what_it_knows():
    rule = Taught((2.0, 1.0, 0.0, 0.0, 0.0), -1.0)
    assert rule((0.5, 0.1, 0.0, 0.0, 0.0), usual=9.0)
    assert not rule((0.4, 0.2, 0.0, 0.0, 0.0), usual=0.0)


def test_without_two_kinds_of_neighbours_the_untaught_rule_stays():
    lesson = lesson_from(Source(Document("d", ("Storms hit.",)), ("Storms hit.",)))
    assert isinstance(taught_joining([lesson], Weights()), Weighty)


def test_a_taught_rule_prefers_weighty_neighbours(lessons: list[Source]):
    found = [lesson_from(source) for source in lessons]
    rule = taught_joining(found, taught_weights(found))
    assert rule((1.0, 1.0, 0.0, 0.5, 0.1), 0.2)
    assert not rule((0.0, 0.0, 1.0, 0.5, 0.1), 0.2)
