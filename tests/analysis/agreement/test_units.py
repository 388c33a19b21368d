"""Agreement on presence, by hand and against the krippendorff package."""

from __future__ import annotations

import krippendorff
import numpy as np
import pytest

from gistmark.analysis.agreement import presence_agreement
from gistmark.analysis.agreement.units import annotators_on_units
from gistmark.corpus import Corpus
from gistmark.records import Presence


def corpus(*rows: tuple[str, str, str]) -> Corpus:
    """Rows of unit, annotator and 1 or 0, of two documents with one system."""
    return Corpus(
        presence=tuple(
            Presence(unit[0], unit[1:], "s", annotator, present == "1")
            for unit, annotator, present in rows
        )
    )


def statistics(marks: Corpus) -> dict[str, float | None]:
    return {record.statistic: record.value for record in presence_agreement(marks, resamples=50)}


TWO = corpus(
    ("a1", "x", "1"), ("a1", "y", "1"), ("a2", "x", "0"), ("a2", "y", "1"),
    ("b1", "x", "0"), ("b1", "y", "0"), ("b2", "x", "1"), ("b2", "y", "1"),
)  # fmt: skip


def test_two_annotators_by_hand() -> None:
    """Three of four alike; x says yes 2 times, y 3 times, so 5 of 8 marks are yes.

    alpha = 1 - (n - 1) D / E with n = 8, D = 2 (one unit, two ordered pairs), E = 2 * 5 * 3 = 30.
    Cohen: expected 1/2 * 3/4 + 1/2 * 1/4 = 1/2; (3/4 - 1/2) / (1/2) = 1/2.
    Fleiss: expected (5/8)^2 + (3/8)^2 = 34/64; (3/4 - 34/64) / (30/64) = 14/30.
    """
    values = statistics(TWO)
    assert values["alpha-nominal"] == pytest.approx(1 - 7 * 2 / 30)
    assert values["cohen-kappa"] == pytest.approx(1 / 2)
    assert values["fleiss-kappa"] == pytest.approx(14 / 30)


def test_the_records_say_what_they_are_about() -> None:
    record = presence_agreement(TWO, resamples=50)[0]
    assert (record.subject, record.dimension, record.scope, record.n) == (
        "units",
        "content units",
        "",
        4,
    )
    assert record.low is not None


def test_alpha_with_missing_marks_is_that_of_the_krippendorff_package() -> None:
    rng = np.random.default_rng(3)
    table = rng.integers(0, 2, size=(3, 40)).astype(float)
    table[rng.random(table.shape) < 0.3] = np.nan
    marks = Corpus(
        presence=tuple(
            Presence(f"d{unit % 5}", str(unit), "s", str(annotator), bool(table[annotator, unit]))
            for annotator in range(3)
            for unit in range(40)
            if not np.isnan(table[annotator, unit])
        )
    )
    expected = krippendorff.alpha(table, level_of_measurement="nominal")
    assert statistics(marks)["alpha-nominal"] == pytest.approx(expected)


def test_one_annotator_agrees_with_nobody() -> None:
    records = presence_agreement(corpus(("a1", "x", "1"), ("b1", "x", "0")))
    assert [record.value for record in records] == [None, None, None]
    assert all(record.reason for record in records)


def test_without_marks_there_is_no_record() -> None:
    assert presence_agreement(Corpus()) == []


def test_each_annotator_is_compared_with_the_majority_of_the_others() -> None:
    marks = Corpus(
        presence=tuple(
            Presence("d", unit, "lead", annotator, annotator in stating)
            for unit, stating in (("u1", "abc"), ("u2", "ab"), ("u3", "a"))
            for annotator in ("a", "b", "c")
        )
    )
    shares = annotators_on_units(marks)
    # u1: all agree. u2: a and b see one yes and one no, a tie that does not count; c says no where
    # both say yes. u3: a says yes where both say no; b and c see a tie.
    assert {name: (each.value, each.n) for name, each in shares.items()} == {
        "a": (0.5, 2), "b": (1.0, 1), "c": (0.5, 2),
    }  # fmt: skip
    alone = annotators_on_units(Corpus(presence=marks.presence[:1]))["a"]
    assert (alone.value, "No mark of theirs" in (alone.reason or "")) == (None, True)
