"""H5's words and nuggets, worked by hand."""

from __future__ import annotations

import pytest

from gistmark.records import Document
from gistmark.summarizers import Sentence, Source
from gistmark.summarizers.hierarchical.h5 import (
    PRIOR,
    LogisticRule,
    Nugget,
    WeightRule,
    Weights,
    grow_nuggets,
    learned_join_rule,
    learned_weights,
)
from gistmark.summarizers.hierarchical.learning import example_from

TEXT = "Storms hit the north coast. Storms came late."


def sentences(*texts: str) -> list[Sentence]:
    return [Sentence(text, 0, len(text), 0, position) for position, text in enumerate(texts)]


def test_a_word_weighs_as_much_as_it_is_frequent():
    first, second = Weights()(sentences("Storms hit the coast.", "A storm came."))
    assert first.weights == [1, 0.5, 0, 0.5]
    assert second.stems == [None, "storm", "came"]


def test_lifts_multiply_and_the_heaviest_word_weighs_1():
    (words,) = Weights({"cat": 4.0, "dog": 2.0})(sentences("Cat dog bird"))
    assert words.weights == [1, 0.5, 0.25]


def test_lifts_come_from_relevant_sentences():
    example = example_from(Source(Document("d", ("Cats sleep. Dogs bark.",)), ("Cats sleep.",)))
    lifts = learned_weights([example]).lifts
    # Of four words two are relevant. cat: (1 + PRIOR / 2) / (1 + PRIOR) over 1/2.
    assert lifts["cat"] == pytest.approx((1 + PRIOR / 2) / (1 + PRIOR) * 2)
    assert lifts["dog"] == pytest.approx((PRIOR / 2) / (1 + PRIOR) * 2)


def test_nuggets_grow_from_heavy_words_over_stop_words_to_heavy_words():
    # storm 3, coast 2, others 1 of seven different words: the mean is 10/7 of 3, so only storm
    # and coast weigh as much as usual.
    words = Weights()(
        sentences("A storm of the coast passed", "coast storm hit", "storm near town", "calm sea")
    )
    result = grow_nuggets(words, WeightRule())
    # "of the" is two stop words: only the nearer of them stands before a heavy word.
    assert result == [Nugget(0, 1, 1), Nugget(1, 0, 1), Nugget(2, 0, 0), Nugget(0, 4, 4)]


def test_no_content_words_no_nuggets():
    assert grow_nuggets(Weights()(sentences("It is.", "...")), WeightRule()) == []


def test_a_taught_rule_adds_up_what_it_knows():
    rule = LogisticRule((2.0, 1.0, 0.0, 0.0, 0.0), -1.0)
    assert rule((0.5, 0.1, 0.0, 0.0, 0.0), usual=9.0)
    assert not rule((0.4, 0.2, 0.0, 0.0, 0.0), usual=0.0)


def test_without_two_kinds_of_neighbours_the_untrained_rule_stays():
    example = example_from(Source(Document("d", ("Storms hit.",)), ("Storms hit.",)))
    assert isinstance(learned_join_rule([example], Weights()), WeightRule)


def test_a_taught_rule_prefers_weighty_neighbours(examples: list[Source]):
    result = [example_from(source) for source in examples]
    rule = learned_join_rule(result, learned_weights(result))
    assert rule((1.0, 1.0, 0.0, 0.5, 0.1), 0.2)
    assert not rule((0.0, 0.0, 1.0, 0.5, 0.1), 0.2)
