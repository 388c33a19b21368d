"""Agreement on rankings and best-worst choices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gistmark.analysis.agreement.sets import (
    annotator_taus,
    concordance,
    mean_tau,
    sets_agreement,
)
from gistmark.analysis.data.arithmetic import average_ranks
from gistmark.analysis.human.questions import questions_of
from gistmark.analysis.human.sets import Sets, sets_of
from gistmark.analysis.studies.records import Agreement
from gistmark.records import Response, item_name


def ranked(annotator: str, ranks: dict[str, object], document: str = "d") -> list[Response]:
    type = "ranking" if all(isinstance(rank, int) for rank in ranks.values()) else "best-worst"
    item = item_name(ranks)
    return [
        Response(document, item, system, annotator, "q", type, str(rank))  # type: ignore[arg-type]
        for system, rank in ranks.items()
    ]


def sets(*answers: list[Response]) -> Sets:
    [result] = sets_of(questions_of([record for answer in answers for record in answer]))
    return result


def statistics(*answers: list[Response]) -> dict[str, Agreement]:
    return {r.statistic: r for r in sets_agreement([sets(*answers)])}


def test_concordance_by_hand() -> None:
    """Rows 1 2 3, 1 2 3 and 2 1 3: R = 4, 5, 9; 12 * 122 - 27 * 3 * 16 = 168; 9 * 24 = 216."""
    ranks = np.array([[1.0, 2, 3], [1, 2, 3], [2, 1, 3]])
    assert concordance(ranks) == pytest.approx(168 / 216)


def test_ties_are_corrected_for() -> None:
    """Two equal rows with a tie agree fully; without the correction W would be below 1."""
    ranks = average_ranks(np.array([[1.0, 1, 3], [1, 1, 3]]))
    assert concordance(ranks) == pytest.approx(1.0)
    assert np.isnan(concordance(average_ranks(np.ones((2, 3)))))


@given(
    st.lists(
        st.lists(st.integers(1, 4), min_size=4, max_size=4).filter(lambda row: len(set(row)) > 1),
        min_size=2,
        max_size=5,
    )
)
def test_the_mean_tau_is_scipys(rows: list[list[int]]) -> None:
    ranks = average_ranks(np.array(rows, dtype=np.float64))
    taus = [
        stats.kendalltau(ranks[i], ranks[j]).statistic
        for i in range(len(ranks))
        for j in range(i + 1, len(ranks))
    ]
    assert mean_tau(ranks) == pytest.approx(np.mean(taus), abs=1e-12)


def test_only_the_same_set_of_the_same_document_is_compared() -> None:
    """ann and bob rank a, b, c alike; cat ranks another set, and dan another document."""
    alike = {"a": 1, "b": 2, "c": 3}
    result = statistics(
        ranked("ann", alike),
        ranked("bob", dict(reversed(alike.items()))),
        ranked("cat", {"a": 2, "b": 1}),
        ranked("dan", {"a": 3, "b": 2, "c": 1}, "other"),
    )
    tau, concord = result["kendall-tau"], result["kendall-w"]
    assert (tau.subject, tau.value, tau.n, tau.low) == ("rankings", 1.0, 1, None)
    assert (concord.value, concord.chance) == (1.0, 0.5)


def test_alone_or_all_tied_there_is_no_agreement() -> None:
    alone = statistics(ranked("ann", {"a": 1, "b": 2}))
    assert alone["kendall-w"].reason == "No set was judged by two annotators."
    tied = statistics(ranked("ann", {"a": 1, "b": 1}), ranked("bob", {"a": 1, "b": 1}))
    assert tied["kendall-tau"].reason == "In every set all summaries are tied."


def test_best_worst_choices_by_hand() -> None:
    """ann: a best, c worst; bob: b best, c worst. Values a 1 0, b 0 1, c -1 -1.

    D = 2 * (1 + 1), E = sum over ordered pairs of (v - w)^2 = 2 n sum v^2 - 2 (sum v)^2
    = 2 * 6 * 4 - 0 = 48, alpha = 1 - 5 * 4 / 48.
    """
    result = statistics(
        ranked("ann", {"a": "best", "b": "", "c": "worst"}),
        ranked("bob", {"a": "", "b": "best", "c": "worst"}),
    )
    assert result["alpha-ordinal"].value == pytest.approx(1 - 20 / 48)
    assert result["alpha-ordinal"].n == 3
    """In each half one answer: scores 1 0 -1 and 0 1 -1, of which Spearman is 1/2."""
    assert result["split-half"].value == pytest.approx(0.5)


def test_two_systems_have_no_split_half() -> None:
    pair = {"a": "best", "b": "worst"}
    result = statistics(ranked("ann", pair), ranked("bob", pair))
    assert result["split-half"].reason == "There are fewer than three systems."


def test_each_annotator_against_the_others() -> None:
    """ann and bob agree, cat is opposite: tau 1 and -1 for ann, -1 twice for cat."""
    answers = sets(
        ranked("ann", {"a": 1, "b": 2}),
        ranked("bob", {"a": 1, "b": 2}),
        ranked("cat", {"a": 2, "b": 1}),
    )
    taus = annotator_taus(answers)
    assert {name: tau.value for name, tau in taus.items()} == {"ann": 0, "bob": 0, "cat": -1}
