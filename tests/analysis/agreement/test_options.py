"""Agreement on questions with options."""

from __future__ import annotations

import pytest

from gistmark.analysis.agreement.options import (
    majority_answers,
    option_columns,
    options_agreement,
)
from gistmark.analysis.human.questions import questions_of
from gistmark.analysis.studies.records import Agreement
from gistmark.records import Response, item_name


def answered(system: str, annotator: str, value: str, type: str = "choice") -> Response:
    return Response("d", system, system, annotator, "q", type, value)  # type: ignore[arg-type]


def statistics(*responses: Response) -> dict[tuple[str, str], Agreement]:
    records = options_agreement(questions_of(responses))
    assert {(record.subject, record.dimension) for record in records} == {("answers", "q")}
    return {(record.statistic, record.scope): record for record in records}


def test_single_choices_by_hand() -> None:
    """Summary s: x, x, y; summary t: y, y. Equal pairs: 1 of 3, and 1 of 1: 2/3 on average.

    Shares: x 2/5, y 3/5; by chance 4/25 + 9/25. D = 2 * 2 / 2 = 2, E = 2 * 2 * 3 = 12, so
    alpha = 1 - 4 * 2 / 12.
    """
    result = statistics(
        answered("s", "ann", "x"), answered("s", "bob", "x"), answered("s", "cat", "y"),
        answered("t", "ann", "y"), answered("t", "bob", "y"), answered("u", "ann", "x"),
    )  # fmt: skip
    raw = result["raw-agreement", ""]
    assert (raw.value, raw.chance, raw.n) == (pytest.approx(2 / 3), pytest.approx(13 / 25), 2)
    assert result["alpha-nominal", ""].value == pytest.approx(1 / 3)


def test_several_options_are_compared_as_sets_and_one_by_one() -> None:
    """ann chose long of s, bob long and dull; of t both chose nothing.

    Option long: equal everywhere, alpha 1. Option dull: 1 and 0 of s, 0 and 0 of t:
    D = 2, E = 2 * 1 * 3 = 6, alpha = 1 - 3 * 2 / 6 = 0.
    """
    result = statistics(
        answered("s", "ann", "long", "choices"),
        answered("s", "bob", "long", "choices"), answered("s", "bob", "dull", "choices"),
        answered("t", "ann", "", "choices"), answered("t", "bob", "", "choices"),
    )  # fmt: skip
    assert result["alpha-nominal", "long"].value == pytest.approx(1.0)
    assert result["alpha-nominal", "dull"].value == pytest.approx(0.0)
    assert result["raw-agreement", ""].value == pytest.approx(0.5)
    assert 0 < (result["alpha-masi", ""].value or 0) < 1


def test_a_pair_is_the_same_in_any_order_and_alone_there_is_no_agreement() -> None:
    shown = [("s", "t"), ("t", "s")]
    pair = [
        Response("d", item_name(names), None, annotator, "q", "yes-no", "yes")
        for names, annotator in zip(shown, ("ann", "bob"), strict=True)
    ]
    assert statistics(*pair)["raw-agreement", ""].value == 1.0
    alone = statistics(pair[0])["alpha-nominal", ""]
    assert alone.value is None
    assert alone.reason == "No two annotators answered it about the same item."


def test_the_majority_is_that_of_the_others() -> None:
    """Of s all but cat say x: cat is against both, ann and bob each see x and y, no majority."""
    [question] = questions_of(
        [answered("s", "ann", "x"), answered("s", "bob", "x"), answered("s", "cat", "y")]
    )
    columns = option_columns(question)
    assert columns.annotator_names == ("ann", "bob", "cat")
    assert [share.value for share in majority_answers(columns)] == [None, None, 0.0]
