"""The language of subsets: what it chooses, and what it says about mistakes."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmark.analysis.correlation.subsets import choose, parse
from gistmark.analysis.data.measures import MeasureName, Measures
from gistmark.analysis.human import HumanScores
from gistmark.errors import UsageError

UNITS = (("17", "lead"), ("17", "mmr"), ("18", "lead"), ("18", "H2 new"))
MEASURES = Measures(
    UNITS,
    tuple(
        MeasureName(*name)
        for name in (
            ("chars", "value"), ("js-kl", "value"), ("rouge1", "recall"), ("rouge1", "f"),
            ("novel", "precision"), ("novel", "recall"), ("kl", "recall"),
        )
    ),
    ("higher",) * 7,
    np.array(
        [
            [100, 200, 350, 351],
            [0.1, 0.2, np.nan, 0.4],
            [0.9, 0.8, 0.7, 0.6],
            [0.2, 0.4, 0.6, 0.8],
            [1, 2, 3, 4],
            [4, 3, 2, 1],
            [-2, -1, 1, 2],
        ],
        dtype=np.float64,
    ),
)  # fmt: skip
HUMAN = HumanScores(
    UNITS, ("overall", "text quality"), np.array([[1.5, 2, 4, np.nan], [1, 2, 3, 4]]),
    np.ones((2, 4), np.int64),
)  # fmt: skip


@pytest.mark.parametrize(
    ("expression", "chosen"),
    [
        ("200 <= chars <= 350", [1, 2]),
        ("chars 200-350", [1, 2]),
        ("chars 200 - 350", [1, 2]),
        ("chars 200..350", [1, 2]),
        ("chars 200–350", [1, 2]),
        ("kl -2..-1", [0, 1]),
        ("kl < -1.5", [0]),
        ("overall < 2", [0]),
        ("2 > overall", [0]),
        ("rouge1.recall >= 0.7", [0, 1, 2]),
        ("rouge1 > .5", [2, 3]),
        ("kl == 1", [2]),
        ("chars != 1e2", [1, 2, 3]),
        ('"text quality" >= 3', [2, 3]),
        ("'text quality' 2-3", [1, 2]),
        ("js-kl < 0.3", [0, 1]),
        ("not js-kl < 0.3", [3]),
        ("not not js-kl < 0.3", [0, 1]),
        ("js-kl < 9 or chars > 300", [0, 1, 2, 3]),
        ("js-kl < 9 and chars > 300", [3]),
        ("not (js-kl < 9 and chars > 300)", [0, 1]),
        ("overall < 2 or chars > 350 and rouge1 > 0.5", [0, 3]),
        ("(overall < 2 or chars > 350) and rouge1 > 0.5", [3]),
        ("chars > 100 AND Not chars > 350", [1, 2]),
        ("novel.precision < novel.recall", [0, 1]),
        ("system == lead", [0, 2]),
        ('system == "H2 new"', [3]),
        ("system != 'lead' and document == 17", [1]),
        ("'18' == document", [2, 3]),
        ("system == nobody", []),
    ],
)
def test_what_is_chosen(expression: str, chosen: list[int]) -> None:
    subset = choose(expression, MEASURES, HUMAN)
    assert subset.units == {UNITS[position] for position in chosen}
    assert subset.expression == expression
    assert (len(subset), subset.of) == (len(chosen), 4)


@pytest.mark.parametrize(
    ("expression", "place", "message"),
    [
        ("", 1, "a name or a number is missing"),
        ("chars", 6, "a comparison is missing"),
        ("chars <", 8, "a name or a number is missing"),
        ("chars = 3", 7, "write == for equal"),
        ("chars < 3 chars", 11, "join conditions with and or or"),
        ("(chars < 3", 11, "a bracket is opened but not closed"),
        ("chars < 3)", 10, "is unexpected here"),
        ("chars > 200-350", 9, "a range must follow a name"),
        ("char > 3", 1, "there is no 'char'; known: overall, text quality, chars"),
        ("3 < 4", 1, "one side must be a name"),
        ("novel > 3", 1, "novel has several parts: novel.precision, novel.recall"),
        ("system < lead", 1, "by == and != only"),
        ('chars > 3 and "open', 15, "a quote is opened but not closed"),
        ("chars > 3 & chars < 9", 11, "'&' means nothing here; allowed: names"),
        ("chars > 3 and", 14, "a name or a number is missing"),
        ("chars > __import__", 9, "there is no '__import__'"),
        ("__import__('os') > 1", 11, "a comparison is missing"),
    ],
)
def test_mistakes_are_named_with_their_place(expression: str, place: int, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose(expression, MEASURES, HUMAN)
    assert f"at character {place}:" in str(caught.value)
    assert message in str(caught.value)


@given(st.text("ch<>=!&|()'\"0123.- andortks", max_size=30))
def test_any_text_is_read_or_refused_politely(text: str) -> None:
    with contextlib.suppress(UsageError):
        parse(text)


def test_human_scores_may_be_left_out() -> None:
    assert len(choose("chars > 0", MEASURES)) == 4
    with pytest.raises(UsageError, match="'overall'"):
        choose("overall > 0", MEASURES)
