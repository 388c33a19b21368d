"""Generated True/False statements: taken from the text, or provably not in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.corpus import Corpus
from gistmark.judgements import propose_missing_questions, propose_questions
from gistmark.judgements.checks.statements import altered, names_in, occurs
from gistmark.records import Document

SEEDS = range(20)


def changes(sentence: str, names: tuple[str, ...] = (), *, english: bool = True) -> dict[str, set]:
    """All that the rules make of a sentence over some seeds, by kind of change."""
    result: dict[str, set[str]] = {}
    for seed in SEEDS:
        draw = np.random.default_rng(seed)
        for made, change in altered(sentence, names, draw, english=english):
            result.setdefault(change, set()).add(made)
    return result


def test_a_number_is_changed_and_keeps_its_look():
    made = changes("It cost 22,000 crowns, a record.")["number"]
    assert made
    for sentence in made:
        assert sentence.startswith("It cost 44,00")
        assert sentence.endswith(" crowns, a record.")
    # 2 * 1.25 + 1 = 3.5, with two decimals.
    assert changes("It rose by 1.25 points.")["number"] == {"It rose by 3.50 points."}


def test_a_year_stays_a_year_nearby():
    for sentence in changes("The club was founded in 1998.")["number"]:
        year = int(sentence.removesuffix(".").split()[-1])
        assert 2001 <= year <= 2006


def test_a_written_number_becomes_another():
    made = changes("It will be shut for eleven weeks.")["number"]
    assert len(made) > 3
    assert "It will be shut for eleven weeks." not in made


def test_a_name_becomes_another_of_the_document():
    made = changes("Idris Penhale closed the bridge.", ("Port Ennick", "Idris Penhale"))
    assert made["name"] == {"Port Ennick closed the bridge."}


def test_a_part_of_the_same_name_is_no_other_name():
    assert "name" not in changes("Idris Penhale spoke.", ("Idris Penhale", "Penhale"))


def test_a_day_becomes_another_day_and_a_month_another_month():
    made = changes("It closed on Tuesday.", ("Port Ennick",))["name"]
    assert made
    assert all(s.removeprefix("It closed on ").rstrip(".").endswith("day") for s in made)
    assert "It closed on Tuesday." not in made


@pytest.mark.parametrize(
    ("sentence", "negated"),
    [
        ("The bridge was closed.", "The bridge was not closed."),
        ("The bridge was not closed.", "The bridge was closed."),
        ("They never came back.", "They came back."),
        ("It will reopen soon.", "It will not reopen soon."),
    ],
)
def test_a_negation_is_put_in_or_taken_out(sentence: str, negated: str):
    assert changes(sentence)["negation"] == {negated}


def test_negation_is_left_to_english():
    assert "negation" not in changes("Die Brücke was gesperrt.", english=False)


def test_a_sentence_that_no_rule_knows_is_left_alone():
    assert changes("Birds sing loudly here.") == {}


def test_names_are_capitalised_words_inside_a_sentence():
    result = names_in(["Yesterday Maureen Tolley's crew left Port Ennick.", "Nobody saw it."])
    assert result == ("Maureen Tolley", "Port Ennick")


@pytest.mark.parametrize("about", ["document", "reference"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_document_of_the_sample_gets_a_true_and_a_false_statement(
    sample: Corpus, about: str, seed: int
):
    corpus = replace(sample, questions=())
    result = propose_missing_questions(corpus, seed=seed, about=about)  # type: ignore[arg-type]
    assert not result.problems
    assert len(result.questions) == 28
    for proposed in result.questions:
        question = proposed.question
        assert question.about == about
        text = (
            corpus.document(question.document).text
            if about == "document"
            else corpus.references[question.document][0].text
        )
        assert occurs(question.statement, text) is question.answer
        assert (proposed.change is None) is question.answer
        assert occurs(proposed.sentence, text)


def test_documents_that_have_statements_get_no_more(sample: Corpus):
    assert propose_missing_questions(sample, seed=1).questions == ()
    half = replace(sample, questions=sample.questions[:4])
    named = {each.question.document for each in propose_missing_questions(half, seed=1).questions}
    assert len(named) == 13
    assert sample.questions[0].document not in named


def test_the_seed_decides(sample: Corpus):
    corpus = replace(sample, questions=())
    assert propose_missing_questions(corpus, seed=1) == propose_missing_questions(corpus, seed=1)
    assert propose_missing_questions(corpus, seed=1) != propose_missing_questions(corpus, seed=2)


def test_a_document_that_gives_no_statement_is_told():
    corpus = Corpus(
        documents=(Document("tiny", ("No.",)), Document("plain", ("Birds sing here.",)))
    )
    result = propose_missing_questions(corpus, seed=1)
    assert [each.question.statement for each in result.questions] == ["Birds sing here."]
    assert [str(problem) for problem in result.problems] == [
        "No sentence of the text of document 'tiny' can be made into a statement; write one.",
        "No sentence of the text of document 'plain' can be made into a false statement; "
        "write one.",
    ]


def test_a_sentence_that_leans_on_the_one_before_is_avoided():
    text = "He said that it was not so bad. The old bridge was closed on Tuesday."
    for seed in SEEDS:
        for proposed in propose_questions("d", text, seed=seed):
            assert proposed.sentence == "The old bridge was closed on Tuesday."


@given(st.text(max_size=200), st.integers(0, 5))
def test_any_text_gives_statements_that_are_what_they_claim(text: str, seed: int):
    for proposed in propose_questions("d", text, seed=seed):
        if not proposed.question.answer:
            assert not occurs(proposed.question.statement, text)


def test_a_change_that_happens_to_stand_in_the_text_is_not_used():
    text = "The old bridge was closed at night. The old bridge was not closed at night."
    for seed in SEEDS:
        assert [each.question.answer for each in propose_questions("d", text, seed=seed)] == [True]
