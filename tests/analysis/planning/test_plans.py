"""Plans against simulated studies, and what they say where they cannot work."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from gistmark.analysis.planning import Deviations, plan
from gistmark.analysis.planning.power import power_over_both, power_over_documents
from gistmark.corpus import Corpus, load, sample_folder
from gistmark.errors import UsageError
from gistmark.records import Rating

SPREAD = Deviations(summary=0.5, residual=0.7, annotator=0.3)


def differences(
    rng: np.random.Generator, gap: float, documents: int, annotators: int
) -> np.ndarray:
    """What each annotator sees between two systems on each document."""
    cells = gap + rng.normal(0, np.sqrt(2) * SPREAD.summary, (1, documents))
    return cells + rng.normal(0, np.sqrt(2) * SPREAD.residual, (annotators, documents))


def test_power_over_documents_is_that_of_the_paired_t_test():
    rng = np.random.default_rng(1)
    tests = [
        stats.ttest_1samp(differences(rng, 0.4, 25, 3).mean(axis=0), 0.0) for _ in range(3_000)
    ]
    expected = power_over_documents(SPREAD, 0.4, 25, 3)
    # 3,000 studies have a standard error of at most 0.9 %.
    assert expected.power == pytest.approx(
        np.mean([each.pvalue < 0.05 for each in tests]), abs=0.03
    )
    widths = [np.diff(each.confidence_interval())[0] for each in tests[:500]]
    assert expected.width == pytest.approx(np.mean(widths), rel=0.02)


def test_power_over_both_is_that_of_simulated_studies():
    rng = np.random.default_rng(2)
    documents, annotators = 20, 5
    hits = []
    for _ in range(2_000):
        favour = rng.normal(0, np.sqrt(2) * SPREAD.annotator, (annotators, 1))
        cells = differences(rng, 0.5, documents, annotators) + favour
        by_annotator = documents * cells.mean(axis=1).var(ddof=1)
        by_document = annotators * cells.mean(axis=0).var(ddof=1)
        inner = cells - cells.mean(axis=1, keepdims=True) - cells.mean(axis=0) + cells.mean()
        rest = (inner**2).sum() / ((annotators - 1) * (documents - 1))
        a, d = max(by_annotator, rest), max(by_document, rest)
        scatter = a**2 / 4 + d**2 / 19 + rest**2 / 76
        t = cells.mean() / np.sqrt((a + d - rest) / cells.size)
        hits.append(abs(t) > stats.t.ppf(0.975, max((a + d - rest) ** 2 / scatter, 1)))
    expected = power_over_both(SPREAD, 0.5, documents, annotators).power
    assert expected == pytest.approx(np.mean(hits), abs=0.04)


@pytest.mark.parametrize("annotators", [3, 10])
def test_without_a_difference_only_the_valid_test_keeps_its_level(annotators: int):
    spread = replace(SPREAD, annotator=0.5)
    valid = power_over_both(spread, 1e-9, 60, annotators).power
    usual = power_over_both(spread, 1e-9, 60, annotators, method="wald").power
    assert valid < 0.065
    assert usual > valid + 0.01
    assert power_over_documents(spread, 1e-9, 60, annotators).power == pytest.approx(0.05, abs=1e-3)


def pilot(annotators: int = 6, documents: int = 40, systems: int = 3) -> Corpus:
    rng = np.random.default_rng(3)
    strict = rng.normal(0, 0.5, annotators)
    summary = rng.normal(0, 0.5, (documents, systems))
    return Corpus(
        ratings=tuple(
            Rating(
                f"d{d}", f"s{s}", f"a{a}", "overall",
                float(3 + 0.4 * s + strict[a] + summary[d, s] + rng.normal(0, 0.7)), seconds=30.0,
            )
            for d in range(documents) for s in range(systems) for a in range(annotators)
        )
    )  # fmt: skip


def test_a_plan_from_a_pilot_knows_its_spread_time_and_systems():
    result = plan(pilot(), difference=0.3, rate=12)
    assert result.spread.summary == pytest.approx(0.5, abs=0.06)
    assert result.spread.residual == pytest.approx(0.7, abs=0.03)
    assert ({each.systems for each in result.plans}, result.seconds) == ({3}, 30.0)
    best = result.best
    assert best is not None
    assert best.judgements == 3 * best.documents * best.annotators
    assert best.hours == pytest.approx(best.judgements * 30 / 3600)
    assert best.cost == pytest.approx(12 * best.hours)  # type: ignore[operator]
    assert best.power >= 0.8
    assert all(each.power < 0.8 for each in result.plans if each.judgements < best.judgements)
    assert 0 < best.pairs <= 3
    assert 1 < best.distinguishable <= 3
    assert result.warnings == ()


def test_more_of_everything_never_hurts():
    plans = plan(difference=0.3, deviations=SPREAD).plans
    powers = {(each.documents, each.annotators): each.power for each in plans}
    for (documents, annotators), power in powers.items():
        for more in powers:
            if more[0] >= documents and more[1] >= annotators:
                assert powers[more] >= power - 1e-9


def test_what_cannot_work_is_said():
    hopeless = plan(difference=0.05, deviations=SPREAD, documents=[10, 20])
    assert hopeless.best is None
    assert re.fullmatch(
        r"No plan in the grid is enough to see a difference of 0\.05 points with 80 % power: "
        r"10 annotators on 20 documents have \d %\.",
        hopeless.sentence,
    )
    few = plan(pilot(annotators=2, documents=8), difference=0.5)
    assert any("8 documents" in each for each in few.warnings)
    single = plan(pilot(annotators=1, documents=30), difference=0.5)
    assert any("no summary was rated twice" in each for each in single.warnings)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"difference": 0.0}, "The difference must be a number above 0, but is 0."),
        ({"power": 1.0}, "The power must be between 0 and 1, but is 1."),
        ({"documents": [1]}, "A plan needs at least two documents."),
        ({"deviations": None}, "A plan needs a pilot with ratings, or the spread of ratings."),
        ({"over": "both", "annotators": [1]},
         "To plan for other annotators too, at least two annotators are needed."),
    ],
)  # fmt: skip
def test_bad_input_gets_a_sentence(options: dict[str, object], message: str):
    settings: dict[str, object] = {"difference": 0.3, "deviations": SPREAD, **options}
    with pytest.raises(UsageError) as caught:
        plan(**settings)  # type: ignore[arg-type]
    assert str(caught.value) == message


def test_a_pilot_without_spread_gets_a_sentence():
    equal = Corpus(ratings=tuple(replace(each, value=3.0) for each in pilot().ratings))
    with pytest.raises(UsageError, match="too few or too equal to say how far ratings spread"):
        plan(equal, difference=0.3)
    with pytest.raises(UsageError, match="The pilot has no ratings"):
        plan(replace(load(sample_folder()), ratings=()), difference=0.3)


def test_a_grid_of_systems_says_how_many_can_be_told_apart():
    result = plan(
        difference=0.5, deviations=SPREAD, systems=[2, 6], documents=[20, 200], annotators=[4]
    )
    small, large, few, many = result.plans
    assert (small.systems, few.systems) == (2, 6)
    assert small.judgements * 3 == few.judgements
    assert small.power == few.power  # other systems tell nothing about two systems' ratings
    assert small.distinguishable == pytest.approx(1 + small.power)
    assert 1 < few.distinguishable < many.distinguishable <= 6
    assert many.pairs > 14
    assert result.best == large


def test_corpora_and_annotators_that_are_too_few_are_named():
    few = plan(difference=0.1, deviations=SPREAD, available=30)
    assert max(each.documents for each in few.plans) == 30
    assert few.warnings[-1].startswith("Only 30 documents are available; plan for more")
    taste = plan(difference=0.2, deviations=replace(SPREAD, annotator=1.0), over="both")
    assert taste.best is None
    assert "because annotators favour systems; only more annotators help" in taste.warnings[-1]
    more = plan(difference=0.05, deviations=replace(SPREAD, annotator=0.0))
    assert "try larger numbers of documents" in more.warnings[-1]


def test_the_sentence_names_scale_and_currency():
    result = plan(
        difference=0.4, deviations=SPREAD, systems=4, seconds=60, rate=13, currency="€", scale=5
    )
    assert re.fullmatch(
        r"To see a difference of 0\.4 points on 5 with 80 % power: \d annotators on \d+ documents, "
        r"[\d,]+ ratings of 4 systems, about \d+ hours, about \d+ €\.",
        result.sentence,
    )
