"""People and a metric together: against the reference implementation, and by its coverage."""

from __future__ import annotations

import re
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from gistmark.analysis.data.measures import MeasureName, Measures
from gistmark.analysis.data.weights import Weights, weights_of
from gistmark.analysis.findings.metrics import helper_findings
from gistmark.analysis.human import HumanScores
from gistmark.analysis.prediction_powered import Powered, powered_estimates, powered_mean
from gistmark.analysis.prediction_powered.sampling import picked
from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.records import Rating, Sampled

Z = float(stats.norm.ppf(0.975))


@pytest.mark.parametrize(
    ("seed", "n", "extra", "slope", "value", "low", "high"),
    [
        # ppi_mean_pointestimate and ppi_mean_ci (alpha 0.05) of ppi-python 0.2.3.
        (1, 20, 80, 0.9, 3.011482889365349, 2.7624812893214696, 3.260484489409228),
        (2, 50, 50, 0.5, 3.028473287367754, 2.853370005346026, 3.203576569389482),
        (3, 30, 300, 0.0, 3.0499919841847483, 2.861506002465699, 3.2384779659037974),
        (4, 15, 40, -0.6, 3.096075389939277, 2.7466135783528345, 3.445537201525719),
        (5, 100, 20, 0.7, 2.9246897361121102, 2.7829838941028275, 3.066395578121393),
    ],
)
def test_estimates_and_errors_are_those_of_the_reference(
    seed: int, n: int, extra: int, slope: float, value: float, low: float, high: float
):
    rng = np.random.default_rng(seed)
    metric = rng.normal(size=n + extra)
    human = 3 + slope * metric[:n] + rng.normal(0, 0.5, n)
    result = powered_mean(human, metric[:n], metric[n:], most=1.0)
    assert result.value == pytest.approx(value, abs=1e-9)
    assert result.value - Z * result.error == pytest.approx(low, abs=1e-9)
    assert result.value + Z * result.error == pytest.approx(high, abs=1e-9)


def test_a_metric_on_another_scale_helps_as_much():
    rng = np.random.default_rng(7)
    metric = rng.normal(size=200)
    human = 3 + 0.8 * metric[:40] + rng.normal(0, 0.3, 40)
    one = powered_mean(human, metric[:40], metric[40:])
    small = powered_mean(human, metric[:40] / 100, metric[40:] / 100)
    assert small.value == pytest.approx(one.value)
    assert small.error == pytest.approx(one.error)
    assert small.tuning == pytest.approx(100 * one.tuning)


def table(metric: np.ndarray, human: np.ndarray) -> tuple[Powered, ...]:
    documents, systems = metric.shape
    units = tuple((f"d{d}", f"s{s}") for d in range(documents) for s in range(systems))
    measures = Measures(units, (MeasureName("m", "value"),), ("higher",), metric.reshape(1, -1))
    scores = HumanScores(units, ("overall",), human.reshape(1, -1), np.ones((1, len(units)), int))
    return powered_estimates(measures, "m", scores)


def test_intervals_hold_the_truth_and_a_good_metric_narrows_them():
    rng = np.random.default_rng(11)
    held = {"mean": [], "difference": [], "alone": []}
    worth = []
    for _ in range(400):
        truth = rng.normal([3.0, 3.5], 1, (100, 2))
        metric = truth + rng.normal(0, 0.5, truth.shape)
        human = truth + rng.normal(0, 0.3, truth.shape)
        human[25:] = np.nan
        mean, _, difference = table(metric, human)
        held["mean"].append(mean.low <= 3.0 <= mean.high)
        held["alone"].append(mean.classical_low <= 3.0 <= mean.classical_high)
        held["difference"].append(difference.low <= -0.5 <= difference.high)
        worth.append(mean.equivalent / mean.n)
    # 400 tries have a standard error of 1.1 %.
    for name, hits in held.items():
        assert 0.92 < np.mean(hits) < 0.98, name
    assert np.mean(worth) > 2


def test_a_metric_of_pure_noise_costs_next_to_nothing():
    rng = np.random.default_rng(13)
    widths = []
    for _ in range(300):
        human = rng.normal(3, 1, (200, 1))
        human[50:] = np.nan
        [mean] = table(rng.normal(size=(200, 1)), human)
        widths.append((mean.high - mean.low) / (mean.classical_high - mean.classical_low))
    assert np.mean(widths) < 1.03


def test_what_cannot_be_estimated_has_a_reason():
    rng = np.random.default_rng(1)
    metric, human = rng.normal(size=(20, 1)), rng.normal(size=(20, 1))
    [whole] = table(metric, human)
    assert (
        whole.reason == "every document that has scores was judged, so a metric has nothing to add"
    )
    human[5:] = np.nan
    [few] = table(metric, human)
    assert few.reason == "5 judged documents are too few; 8 are needed"
    assert few.value is None
    assert table(metric, np.full((20, 1), np.nan)) == ()


def several(
    metrics: np.ndarray, human: np.ndarray, helper: str = "all", **options
) -> list[Powered]:
    """Metrics × documents × systems, and documents × systems."""
    documents, systems = human.shape
    units = tuple((f"d{d}", f"s{s}") for d in range(documents) for s in range(systems))
    names = tuple(MeasureName(f"m{k}", "value") for k in range(len(metrics)))
    better = ("higher",) * len(names)
    measures = Measures(units, names, better, metrics.reshape(len(names), -1))
    scores = HumanScores(units, ("overall",), human.reshape(1, -1), np.ones((1, len(units)), int))
    return list(powered_estimates(measures, helper, scores, **options))


def test_weights_of_several_metrics_are_learnt_without_flattering():
    """Two metrics see halves of the quality, two are noise, on other scales: intervals hold."""
    rng = np.random.default_rng(17)
    held, ratios = [], []
    for _ in range(300):
        halves = rng.normal(0, 0.7, (2, 120, 2))
        truth = 3 + halves.sum(axis=0)
        human = truth + rng.normal(0, 0.3, truth.shape)
        human[30:] = np.nan
        noise = rng.normal(0, 1, (2, *truth.shape))
        metrics = np.concatenate([100 * halves[:1], halves[1:] / 50, noise])
        mean, _, difference = several(metrics, human)
        alone, *_ = several(metrics, human, "m0")
        held.append((mean.low <= 3 <= mean.high, difference.low <= 0 <= difference.high))
        ratios.append((mean.high - mean.low) / (alone.high - alone.low))
    # 300 tries have a standard error of 1.3 %.
    assert np.all(np.abs(np.mean(held, axis=0) - 0.95) < 0.035)
    assert np.mean(ratios) < 0.8


def test_intervals_about_the_corpus_hold_the_mean_of_its_documents():
    rng = np.random.default_rng(19)
    truth = rng.normal(3, 1, (100, 1))
    metric = truth + rng.normal(0, 0.7, truth.shape)
    target = float(truth.mean())
    hits: dict[str, list[bool]] = {"corpus": [], "people": [], "beyond": []}
    for _ in range(400):
        human = truth.copy()
        human[rng.permutation(100)[25:]] = np.nan
        [corpus] = several(metric[None], human, population="corpus")
        [beyond] = several(metric[None], human)
        assert corpus.value == pytest.approx(beyond.value)
        hits["corpus"].append(corpus.low <= target <= corpus.high)
        hits["people"].append(corpus.classical_low <= target <= corpus.classical_high)
        hits["beyond"].append(beyond.low <= target <= beyond.high)
    assert 0.92 < np.mean(hits["corpus"]) < 0.98
    assert 0.92 < np.mean(hits["people"]) < 0.98
    # For other documents the interval is wider: a quarter of a corpus says more about the corpus.
    assert np.mean(hits["beyond"]) > 0.975


def test_documents_that_were_likelier_count_less():
    rng = np.random.default_rng(23)
    truth = rng.normal(3, 1, (200, 1))
    probabilities = np.where(truth[:, 0] > 3, 0.4, 0.1)
    metric = truth + rng.normal(0, 0.7, truth.shape)
    target, values, plain, held = float(truth.mean()), [], [], []
    weights = Weights({f"d{d}": 1 / p for d, p in enumerate(probabilities)})
    for _ in range(300):
        human = np.where(rng.random((200, 1)) < probabilities[:, None], truth, np.nan)
        [record] = several(metric[None], human, weights=weights, population="corpus")
        values.append(record.value)
        plain.append(several(metric[None], human)[0].classical)
        held.append(record.low <= target <= record.high)
    assert np.mean(plain) > target + 0.3
    assert np.mean(values) == pytest.approx(target, abs=0.03)
    assert np.mean(held) > 0.91
    equal = Weights({f"d{d}": 4.0 for d in range(200)})
    human = np.where(np.arange(200)[:, None] < 50, truth, np.nan)
    [same] = several(metric[None], human, weights=equal)
    [usual] = several(metric[None], human)
    assert same.value == pytest.approx(usual.value, abs=0.05)
    assert same.high - same.low == pytest.approx(usual.high - usual.low, rel=0.1)


def test_what_was_saved_is_what_people_alone_would_need():
    rng = np.random.default_rng(29)
    for population in ("beyond", "corpus"):
        ratios = []
        for _ in range(8):
            truth = rng.normal(3, 1, (400, 1))
            metric = (truth + rng.normal(0, 0.5, truth.shape))[None]
            human, more = truth.copy(), truth.copy()
            human[40:] = np.nan
            [record] = several(metric, human, population=population)
            assert record.saved == int(record.equivalent - record.n)
            more[40 + record.saved :] = np.nan
            [later] = several(metric, more, population=population)
            own, then = record.high - record.low, later.classical_high - later.classical_low
            ratios.append(own / then)
        assert np.mean(ratios) == pytest.approx(1.0, abs=0.1)
    [none] = several(rng.normal(size=metric.shape), human)
    assert none.saved <= 3


def test_a_helper_that_cannot_help_says_why():
    rng = np.random.default_rng(31)
    metric, human = rng.normal(size=(2, 30, 1)), rng.normal(size=(30, 1))
    human[9:] = np.nan
    [few] = several(metric, human)
    assert few.reason == "9 judged documents are too few; 10 are needed"
    [constant] = several(np.ones((1, 30, 1)), human)
    assert constant.reason == "the metric has the same value everywhere, so it has nothing to add"
    human[:9] = 5.0
    [equal] = several(metric[:1], human)
    assert equal.reason.startswith("all judged documents have the same value")
    [chosen] = several(metric[:1], human, reason="chosen for the ranking")
    assert (chosen.reason, chosen.value) == ("chosen for the ranking", None)
    human[:9, 0] = [5, 5, 5, 5, 5, 5, 5, 5, 1]
    [skewed] = several(metric[:1], human)
    assert "may be too narrow" in skewed.caution
    assert skewed.value is not None
    # The rare values are below, so the interval reaches farther down than up.
    assert skewed.classical - skewed.classical_low > 1.5 * (
        skewed.classical_high - skewed.classical
    )
    with pytest.raises(UsageError, match="does not name helpers"):
        several(metric, human, "m0+")
    with pytest.raises(UsageError, match="'nothing'"):
        several(metric, human, "m0+nothing")


def test_findings_say_what_was_saved_only_where_it_was():
    rng = np.random.default_rng(37)
    truth = rng.normal(3, 1, (100, 3))
    human = truth.copy()
    human[30:] = np.nan
    [good] = helper_findings(several((truth + rng.normal(0, 0.4, truth.shape))[None], human), None)
    assert re.match(r"With m0, the interval .* as narrow as with \d+ more judged", good.text)
    [bad] = helper_findings(several(rng.normal(size=(1, 100, 3)), human), "overall")
    assert bad.text == "m0 does not help: for a typical system it is worth less than one document."
    assert list(helper_findings([], None)) == []


def test_a_system_without_spread_borrows_that_of_the_others():
    """Three systems, 12 judged documents each; people gave the first nothing but 5.

    The mean variance m is that of the others over three: the first has (0 + 4 m) / (11 + 4).
    """
    rng = np.random.default_rng(41)
    metric, human = rng.normal(size=(1, 60, 3)), rng.normal(3, 1, (60, 3))
    human[:, 0], human[12:] = 5.0, np.nan
    [equal, one, other, *_] = several(metric, human)
    assert (equal.value, equal.classical, equal.caution) == (5.0, 5.0, None)
    spread = np.var(human[:12, 1:], axis=0, ddof=1).sum() / 3
    half = stats.t.ppf(0.975, 11) * np.sqrt(4 * spread / 15 / 12)
    assert equal.classical_high - 5 == 5 - equal.classical_low == pytest.approx(half)
    for record in (one, other):  # more than the mean: its own variance stays
        own = human[:12, int(record.left[1:])]
        error = own.std(ddof=1) / np.sqrt(12)
        ends = record.classical_low - own.mean(), record.classical_high - own.mean()
        reach = stats.t.ppf(0.975, 11)
        move = stats.skew(own, bias=False) / np.sqrt(12) * (1 + 2 * reach**2) / 6
        assert ends == pytest.approx(
            (-error * (reach + max(-move, 0)), error * (reach + max(move, 0)))
        )


def nearly_constant(rng: np.random.Generator, *bad: int) -> np.ndarray:
    """100 documents, nearly all of which got a 5, of systems with so many bad ones."""
    truth = np.full((100, len(bad)), 5.0)
    for column, count in enumerate(bad):
        truth[rng.permutation(100)[:count], column] = rng.choice([4.67, 4.0, 3.0, 2.0], count)
    return truth


def test_intervals_hold_where_nearly_all_ratings_of_a_system_are_the_same():
    """25 of 100 documents judged: Student's t would hold in some 85 %."""
    rng = np.random.default_rng(43)
    truth = nearly_constant(rng, 3, 6, 9, 50)
    targets, held = truth.mean(axis=0), []
    metric = truth[None] + rng.normal(0, 0.5, (1, 100, 4))
    for _ in range(150):
        human = truth.copy()
        human[rng.permutation(100)[25:]] = np.nan
        means = several(metric, human, population="corpus")[:4]
        held += [
            [r.low <= t <= r.high, r.classical_low <= t <= r.classical_high]
            for r, t in zip(means, targets, strict=True)
        ]
    # 600 intervals of 150 draws: a standard error of about 1.2 %.
    assert np.all(np.mean(held, axis=0) > 0.92)


def test_where_no_system_varies_enough_to_learn_from_intervals_come_with_a_caution():
    rng = np.random.default_rng(47)
    truth = nearly_constant(rng, 2, 4, 6)
    truth[25:] = np.nan
    records = several(rng.normal(size=(1, 100, 3)), truth)
    assert all("may be too narrow" in each.caution for each in records if each.value is not None)
    truth[:25, 0] = rng.normal(3, 1, 25)
    means = several(rng.normal(size=(1, 100, 3)), truth)[:3]
    assert [each.caution for each in means] == [None] * 3


def test_probabilities_of_a_sample_are_inverse_probability_weights():
    """People alone: sum y / p over sum 1 / p; with the metric: its own mean, corrected the same."""
    rng = np.random.default_rng(53)
    documents, probabilities = [f"d{d}" for d in range(60)], rng.uniform(0.2, 0.9, 60)
    judged = np.flatnonzero(rng.random(60) < probabilities)
    sampled = tuple(Sampled(documents[d], "stratified", float(probabilities[d])) for d in judged)
    ratings = tuple(
        Rating(documents[d], "s0", "a", "overall", float(rng.integers(1, 6))) for d in judged
    )
    weights = weights_of(Corpus(ratings=ratings, sampling=sampled))
    metric, human = rng.normal(size=(60, 1)), np.full((60, 1), np.nan)
    human[judged, 0] = [each.value for each in ratings]
    [record] = several(metric[None], human, weights=weights, population="corpus")
    w, y, f = 1 / probabilities[judged], human[judged, 0], metric[judged, 0]
    assert record.classical == pytest.approx((w * y).sum() / w.sum())
    k = record.tuning * 60 / (60 - len(judged))
    corrected = k * metric.mean() + (w * (y - k * f)).sum() / w.sum()
    assert record.value == pytest.approx(corrected)


def test_judged_documents_are_compared_with_others_by_the_helpers_ranks():
    """One system, five documents, ranks -1, -.5, 0, .5 and 1, of which the last two were judged.

    Their sum is 1.5, its mean 0, and its variance 2 x 3 / 5 times that of the ranks, 2.5 / 4.
    """
    values = np.array([[0.1], [0.2], [0.5], [7.0], [9.0]])
    z, p = picked(values, np.array([[False], [False], [False], [True], [True]]))
    assert z == pytest.approx(1.5 / np.sqrt(6 / 5 * 2.5 / 4))
    assert p == pytest.approx(2 * stats.norm.sf(z))
    assert picked(values, np.ones((5, 1), bool)) == (0.0, 1.0)
    assert picked(np.full((5, 1), 2.0), np.arange(5)[:, None] > 2) == (0.0, 1.0)


def test_the_variance_is_that_of_all_assignments_of_judgements_to_documents():
    """Two systems, judged together or one at a time: all 24 orders of four documents."""
    rng = np.random.default_rng(3)
    values = rng.normal(size=(4, 2))
    values[2, 1] = np.nan
    judged = np.array([[True, True], [True, False], [False, False], [False, True]])
    ranks = np.array([[-1, -1 / 3, 1 / 3, 1], [-1, 0, 1]], dtype=object)
    table = np.zeros((4, 2))
    for k in range(2):
        there = ~np.isnan(values[:, k])
        table[there, k] = np.array(ranks[k], float)[np.argsort(np.argsort(values[there, k]))]
    there = judged & ~np.isnan(values)
    sums = [(table * there[list(order)]).sum() for order in permutations(range(4))]
    z, _ = picked(values, judged)
    assert z == pytest.approx(((table * there).sum() - np.mean(sums)) / np.std(sums))


def chosen_by(order: np.ndarray, truth: np.ndarray) -> np.ndarray:
    human = np.full(truth.shape, np.nan)
    human[order[:30]] = truth[order[:30]]
    return human


def test_documents_that_the_metric_likes_come_with_a_caution_and_random_ones_do_not():
    rng = np.random.default_rng(17)
    truth = rng.normal([3.0, 3.3], 0.8, (120, 2))
    metric = truth + rng.normal(0, 0.6, truth.shape)
    highest = table(metric, chosen_by(np.argsort(-metric.mean(axis=1)), truth))
    for record in highest:
        assert record.caution == (
            "the judged documents are not a random sample: by m their summaries rank higher than "
            "those of other documents (p < 0.001), so the estimates may be wrong"
        )
    [finding] = helper_findings(highest, "overall")
    assert ". But the judged documents are not a random sample" in finding.text
    warned = [
        table(metric, chosen_by(rng.permutation(120), truth))[0].caution for _ in range(100)
    ]  # fmt: skip
    assert sum(text is not None for text in warned) < 12


def test_a_declared_sample_is_compared_with_what_nobody_judged_of_it():
    """The sample is the better half of the documents; all of it was judged, or what is best."""
    rng = np.random.default_rng(19)
    metric = np.sort(rng.normal(size=(80, 1)), axis=0)
    human = metric + rng.normal(0, 0.3, metric.shape)
    sample = frozenset(f"d{number}" for number in range(40, 80))
    for first, cautious in ((40, False), (60, True)):
        judged = np.where(np.arange(80)[:, None] >= first, human, np.nan)
        [record] = several(metric[None], judged, "m0", weights=Weights(sample=sample))
        assert (record.caution is not None) == cautious


def test_only_a_sample_whose_probabilities_are_told_and_that_was_kept_to_counts():
    ratings = tuple(Rating(f"d{d}", "a", "x", "overall", 3.0) for d in range(3))
    sampling = tuple(Sampled(f"d{d}", "random", 0.5, 1) for d in range(4))
    assert weights_of(Corpus(ratings=ratings, sampling=sampling)).sample == {"d0", "d1", "d2", "d3"}
    assert weights_of(Corpus(ratings=ratings, sampling=sampling[:2])).sample == frozenset()
    assert weights_of(Corpus(ratings=ratings)).sample == frozenset()
