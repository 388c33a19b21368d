"""What people answered: shares of options, texts, and what rankings give a system."""

from __future__ import annotations

import numpy as np
import pytest

from gistmark.analysis.human.questions import (
    QuestionSummary,
    option_shares,
    question_summaries,
    questions_of,
    text_answers,
)
from gistmark.analysis.human.sets import Sets, set_scores, set_values, sets_of
from gistmark.records import Response, item_name


def answer(document: str, system: str | None, value: str, type: str = "choice") -> Response:
    return Response(document, system or "", system, "ann", "q", type, value)  # type: ignore[arg-type]


def test_shares_are_of_answers_and_not_of_rows() -> None:
    """Three answers: two options, one, and none; long is in two of three.

    Of two documents about s one was dull: 1/2 with a standard error of 1/2 and at least one degree
    of freedom reaches beyond what a share can be.
    """
    records = option_shares(
        questions_of(
            [
                answer("1", "s", "long", "choices"),
                answer("1", "s", "dull", "choices"),
                answer("2", "s", "long", "choices"),
                answer("2", "t", "", "choices"),
            ]
        )
    )
    shares = {(r.system, r.option): (r.count, r.n, r.share) for r in records}
    assert shares == {
        ("", "long"): (2, 3, pytest.approx(2 / 3)),
        ("", "dull"): (1, 3, pytest.approx(1 / 3)),
        ("s", "long"): (2, 2, 1.0),
        ("s", "dull"): (1, 2, 0.5),
        ("t", "long"): (0, 1, 0.0),
        ("t", "dull"): (0, 1, 0.0),
    }
    bounds = {(r.system, r.option): (r.low, r.high) for r in records}
    assert bounds["s", "dull"] == (0.0, 1.0)
    assert bounds["s", "long"] == bounds["t", "dull"] == (None, None)


def test_yes_comes_before_no_and_questions_about_documents_have_no_system() -> None:
    answers = [answer("1", None, value, "yes-no") for value in ("no", "unsure")]
    records = option_shares(questions_of([*answers, answer("2", None, "yes", "yes-no")]))
    assert [(r.system, r.option) for r in records] == [("", "yes"), ("", "no"), ("", "unsure")]


def test_a_question_is_summed_up_and_texts_are_in_order() -> None:
    texts = [
        Response("2", "t", "t", "ann", "why", "text", "Two."),
        Response("1", "s", "s", "bob", "why", "text", "Four words are here."),
        Response("2", "s", "s", "ann", "why", "text", "One"),
    ]
    questions = questions_of(texts)
    assert question_summaries(questions) == [QuestionSummary("why", "text", 3, 2, 2, 2, 9.0)]
    assert [(r.document, r.system, r.characters) for r in text_answers(questions)] == [
        ("2", "t", 4),
        ("2", "s", 3),
        ("1", "s", 20),
    ]


def test_one_name_of_two_types_is_two_questions() -> None:
    names = [q.name for q in questions_of([answer("1", "s", "x"), answer("1", "s", "x", "text")])]
    assert names == ["q (choice)", "q (text)"]


def ranking(document: str, annotator: str, **ranks: object) -> list[Response]:
    type = "ranking" if all(isinstance(rank, int) for rank in ranks.values()) else "best-worst"
    return [
        Response(document, item_name(ranks), system, annotator, "q", type, str(rank))  # type: ignore[arg-type]
        for system, rank in ranks.items()
    ]


def sets(*answers: list[Response]) -> Sets:
    [result] = sets_of(questions_of([record for answer in answers for record in answer]))
    return result


def test_ranks_become_mid_ranks_values_and_wins() -> None:
    """Dense ranks 1 1 2 of three are mid-ranks 1.5 1.5 3: values 3/4, 3/4 and 0."""
    result = sets(ranking("d", "ann", a=1, b=1, c=2), ranking("d", "bob", a=1, c=2))
    np.testing.assert_array_equal(result.ranks, [[1.5, 1.5, 3], [1, np.nan, 2]])
    human = set_values([result])
    assert human.names == ("q (ranking)",)
    values = dict(zip(human.units, human.values[0], strict=True))
    assert values == {("d", "a"): 0.875, ("d", "b"): 0.75, ("d", "c"): 0.0}
    """a and b share the win between them; c lost twice to a and once to b."""
    np.testing.assert_array_equal(result.wins.tables[0], [[0, 0.5, 2], [0.5, 0, 1], [0, 0, 0]])
    scores = {s.system: (s.value, s.first, s.last, s.n) for s in set_scores([result])}
    assert scores == {"a": (1.25, 2, 0, 2), "b": (1.5, 1, 0, 1), "c": (2.5, 0, 2, 2)}


def test_a_best_worst_choice_says_nothing_of_those_in_between() -> None:
    """The best beat three, the worst lost to three; b and c did not meet."""
    result = sets(ranking("d", "ann", a="best", b="", c="", d="worst"))
    np.testing.assert_array_equal(
        result.wins.tables[0], [[0, 1, 1, 1], [0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, 0]]
    )
    assert set_values([result]).values.tolist() == [[1.0, 0.0, 0.0, -1.0]]


def test_who_was_shown_without_a_row_is_neither_best_nor_worst() -> None:
    rows = [row for row in ranking("d", "ann", a="best", b="", c="worst") if row.value]
    np.testing.assert_array_equal(sets(rows).ranks, [[1, 2, 3]])


def test_best_less_worst_over_times_shown() -> None:
    """a: best, best and neither: 2/3; c: worst, worst, best: -1/3."""
    result = sets(
        ranking("1", "ann", a="best", b="", c="worst"),
        ranking("1", "bob", a="best", b="", c="worst"),
        ranking("2", "ann", a="", b="worst", c="best"),
    )
    scores = {s.system: s.value for s in set_scores([result])}
    assert scores == pytest.approx({"a": 2 / 3, "b": -1 / 3, "c": -1 / 3})


def test_answers_with_systems_that_are_only_numbers_are_left_out() -> None:
    result = sets(ranking("d", "ann", a=1, b=2), ranking("d", "bob", a=2, c=1))
    kept = result.where(lambda system: system != "c")
    assert kept.system_names == ("a", "b")
    np.testing.assert_array_equal(kept.ranks, [[1, 2]])
    assert kept.annotators == ("ann",)
