"""Divergences between the words of two texts, by hand and against scipy."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from math import log2

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import jensenshannon
from scipy.stats import entropy

from gistmark.errors import UsageError
from gistmark.metrics.batch import Batch, Item
from gistmark.metrics.catalogue import metric_from
from gistmark.metrics.lexical.divergence import (
    DivergenceOptions,
    Js,
    Kl,
    KlReverse,
    SmoothedOptions,
)
from gistmark.metrics.metric import Metric, Values

Row = Callable[..., list[float]]
Reason = Callable[..., str | None]
Score = Callable[..., Values]

NO_WORDS = "the summary or its target has no words that count"
INFINITE = "a word occurs in only one of the texts; set smooth above 0"
NAMES = ["kl", "kl-reverse", "js", "js-kl"]
PLAIN = "stop=no,stem=no,tok=space"


class TestByHand:
    """Summary "x x y", document "x y y y": p = (2/3, 1/3), q = (1/4, 3/4)."""

    P, Q = (2 / 3, 1 / 3), (1 / 4, 3 / 4)
    FORWARD = 2 / 3 * log2((2 / 3) / (1 / 4)) + 1 / 3 * log2((1 / 3) / (3 / 4))
    BACKWARD = 1 / 4 * log2((1 / 4) / (2 / 3)) + 3 / 4 * log2((3 / 4) / (1 / 3))
    # The midpoint is (11/24, 13/24).
    MIDDLE = (
        2 / 3 * log2((2 / 3) / (11 / 24))
        + 1 / 3 * log2((1 / 3) / (13 / 24))
        + 1 / 4 * log2((1 / 4) / (11 / 24))
        + 3 / 4 * log2((3 / 4) / (13 / 24))
    ) / 2

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("kl", FORWARD),
            ("kl-reverse", BACKWARD),
            ("js", MIDDLE),
            ("js-kl", (FORWARD + BACKWARD) / 2),
        ],
    )
    def test_without_smoothing(self, row: Row, name: str, expected: float) -> None:
        result = row(f"{name}:{PLAIN},smooth=0", "x x y", document="x y y y")
        assert result == pytest.approx([expected], abs=1e-14)

    def test_smoothing_is_added_to_the_count_of_every_word_of_either_text(self, row: Row) -> None:
        # Summary "x", document "y", 1 added to the counts of both words: (2/3, 1/3), (1/3, 2/3).
        expected = 2 / 3 * log2(2) + 1 / 3 * log2(1 / 2)
        assert row(f"kl:{PLAIN},smooth=1", "x", document="y") == pytest.approx([expected])

    def test_with_a_half_life_the_first_words_of_the_document_weigh_most(self, row: Row) -> None:
        # Of the document's words, x weighs 1, the others 1/2, 1/4 and 1/8: 8/15 and 7/15.
        p, q = self.P, (8 / 15, 7 / 15)
        forward = sum(a * log2(a / b) for a, b in zip(p, q, strict=True))
        backward = sum(b * log2(b / a) for a, b in zip(p, q, strict=True))
        options = f"{PLAIN},smooth=0,half_life=1"
        both = [row(f"{kl}:{options}", "x x y", document="x y y y") for kl in ("kl", "kl-reverse")]
        assert both == [pytest.approx([forward]), pytest.approx([backward])]
        # The summary's words weigh alike wherever they stand.
        assert row(f"js:{options}", "x x y", document="x y y y") == pytest.approx(
            row(f"js:{options}", "y x x", document="x y y y")
        )

    def test_words_far_behind_still_stand_in_the_document(self, row: Row) -> None:
        far = " ".join(["x"] * 3000 + ["y"])
        assert 0 < row(f"js:{PLAIN},half_life=1", "y", document=far)[0] <= 1

    def test_by_first_mentions_a_word_weighs_where_it_first_stands(self, row: Row) -> None:
        """Document "x y y y" with a half-life of one word: x weighs 1 log 2, y 1/2 log 4."""
        # These are alike, so q = (1/2, 1/2), and the summary "x y" is just that.
        options = f"{PLAIN},half_life=1,mentions=first"
        assert row(f"js:{options}", "x y", document="x y y y")[0] == pytest.approx(0)
        # Without a half-life they weigh log 2 and log 4, so q = (1/3, 2/3).
        plain = f"{PLAIN},smooth=0,mentions=first"
        assert row(f"js:{plain}", "x y y", document="y x y y")[0] == pytest.approx(0)
        kl = row(f"kl:{plain}", "x y", document="x y y y")[0]
        assert kl == pytest.approx((log2(3 / 2) + log2(3 / 4)) / 2)

    def test_by_first_mentions_texts_of_one_batch_do_not_mix(self) -> None:
        metric = metric_from(f"js:{PLAIN},half_life=3,mentions=first")
        items = [Item("x y", (), "x y y z"), Item("z y", (), "z z y x y"), Item("x", (), "x x")]
        together = metric.score(Batch.of(items)).values
        alone = np.vstack([metric.score(Batch.of([item])).values for item in items])
        np.testing.assert_allclose(together, alone)

    def test_a_half_life_below_zero_is_refused(self) -> None:
        with pytest.raises(UsageError, match="half_life"):
            metric_from("js:half_life=-1")

    def test_equal_texts_do_not_diverge(self, row: Row) -> None:
        for name in NAMES:
            assert row(f"{name}:{PLAIN}", "x y z x", document="x x y z") == [0.0]

    def test_texts_without_a_common_word_are_one_bit_apart(self, row: Row) -> None:
        assert row(f"js:{PLAIN}", "a b c", document="d e f g") == pytest.approx([1.0])

    def test_by_default_stop_words_go_and_stems_are_compared(self, row: Row) -> None:
        assert row("js", "The cats are running.", document="cat run") == [0.0]

    def test_the_document_is_the_default_target_and_references_can_be(self, row: Row) -> None:
        assert row("js", "cat", "dog", document="cat") == [0.0]
        assert row("js:against=references", "cat", "dog", document="cat") == pytest.approx([1.0])

    def test_of_several_references_the_nearest_counts(self, row: Row) -> None:
        spec = f"js:against=references,{PLAIN}"
        near, far = row(spec, "a b", "a c"), row(spec, "a b", "c d")
        assert near < far
        assert row(spec, "a b", "c d", "a c") == near
        mean = row(f"{spec},refs=mean", "a b", "c d", "a c")
        assert mean == pytest.approx([(near[0] + far[0]) / 2])
        # Without the nearest the farther one, without the farther the nearest.
        assert row(f"{spec},refs=jackknife", "a b", "c d", "a c") == pytest.approx(mean)


class TestWhatCannotBeScored:
    """Missing values and their reasons."""

    @pytest.mark.parametrize("name", NAMES)
    @pytest.mark.parametrize(
        ("summary", "document"), [("", "a"), ("a", ""), ("", ""), ("the", "x")]
    )
    def test_a_text_without_words_that_count_gives_no_value(
        self, row: Row, reason: Reason, name: str, summary: str, document: str
    ) -> None:
        assert np.isnan(row(name, summary, document=document)).all()
        assert reason(name, summary, document=document) == NO_WORDS

    def test_an_infinite_divergence_says_that_smoothing_helps(
        self, row: Row, reason: Reason
    ) -> None:
        # The summary has b, which the document lacks; the document lacks nothing of "a".
        assert reason(f"kl:{PLAIN},smooth=0", "a b", document="a") == INFINITE
        assert np.isnan(row(f"kl:{PLAIN},smooth=0", "a b", document="a")).all()
        assert row(f"kl:{PLAIN},smooth=0", "a", document="a b") == pytest.approx([1.0])
        assert reason(f"kl-reverse:{PLAIN},smooth=0", "a", document="a b") == INFINITE
        assert reason(f"js-kl:{PLAIN},smooth=0", "a", document="a b") == INFINITE
        assert reason(f"js:{PLAIN},smooth=0", "a", document="b") is None

    def test_each_item_has_its_own_reason(self, score: Score) -> None:
        result = score(
            f"kl:{PLAIN},smooth=0",
            Item("a b", document="a"),
            Item("", document="a"),
            Item("a", document="a"),
            Item("a"),
        )
        assert result.reasons == {0: INFINITE, 1: NO_WORDS, 3: "the document has no text"}


TEXTS = st.lists(st.sampled_from(["aa", "bb", "cc", "dd", "ee"]), min_size=1, max_size=12)
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=4)


def distributions(
    summary: list[str], target: list[str], smooth: float
) -> tuple[np.ndarray, np.ndarray]:
    types = sorted({*summary, *target})
    counted = [Counter(summary), Counter(target)]
    p, q = (np.array([counts[word] + smooth for word in types]) for counts in counted)
    return p / p.sum(), q / q.sum()


def values_of(metric: Metric, pairs: list[tuple[list[str], list[str]]]) -> np.ndarray:
    items = [Item(" ".join(s), document=" ".join(t)) for s, t in pairs]
    return metric.score(Batch.of(items)).values[:, 0]


@given(pairs=PAIRS, smooth=st.sampled_from([0.0005, 0.1, 1.0, 10.0]))
def test_kullback_leibler_is_that_of_scipy(
    pairs: list[tuple[list[str], list[str]]], smooth: float
) -> None:
    options = SmoothedOptions(smooth=smooth, stop=False, stem=False)
    forward, backward = values_of(Kl(options), pairs), values_of(KlReverse(options), pairs)
    for index, (summary, target) in enumerate(pairs):
        p, q = distributions(summary, target, smooth)
        assert forward[index] == pytest.approx(entropy(p, q, base=2), abs=1e-12)
        assert backward[index] == pytest.approx(entropy(q, p, base=2), abs=1e-12)


@given(pairs=PAIRS, smooth=st.sampled_from([0.0, 0.0005, 1.0]))
def test_jensen_shannon_is_the_square_of_scipys_distance(
    pairs: list[tuple[list[str], list[str]]], smooth: float
) -> None:
    result = values_of(Js(DivergenceOptions(smooth=smooth, stop=False, stem=False)), pairs)
    for index, (summary, target) in enumerate(pairs):
        p, q = distributions(summary, target, smooth)
        assert result[index] == pytest.approx(jensenshannon(p, q, base=2) ** 2, abs=1e-12)
    assert ((result >= 0) & (result <= 1)).all()


@given(pairs=PAIRS)
def test_jensen_shannon_is_symmetric_and_kl_turns_round(
    pairs: list[tuple[list[str], list[str]]],
) -> None:
    turned = [(target, summary) for summary, target in pairs]
    np.testing.assert_allclose(
        values_of(metric_from("js"), pairs), values_of(metric_from("js"), turned), atol=1e-12
    )
    np.testing.assert_allclose(
        values_of(metric_from("kl"), pairs),
        values_of(metric_from("kl-reverse"), turned),
        atol=1e-12,
    )


@given(pairs=PAIRS)
def test_js_kl_is_the_mean_of_both_directions(pairs: list[tuple[list[str], list[str]]]) -> None:
    forward, backward = (values_of(metric_from(name), pairs) for name in ("kl", "kl-reverse"))
    np.testing.assert_allclose(
        values_of(metric_from("js-kl"), pairs), (forward + backward) / 2, atol=1e-12
    )
