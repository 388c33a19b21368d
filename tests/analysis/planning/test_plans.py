"""Plans against simulated studies, and what they say where they cannot work."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from gistmark.analysis.planning import Deviations, plan
from gistmark.analysis.planning.power import mixed_model_power
from gistmark.corpus import Corpus, load, sample_folder
from gistmark.errors import UsageError
from gistmark.records import Rating

SPREAD = Deviations(summary=0.5, residual=0.7, annotator=0.3)


def test_the_published_test_finds_too_much_and_that_of_the_contrasts_does_not():
    for annotators in (3, 10):
        spread = replace(SPREAD, annotator=0.5)
        valid = mixed_model_power(spread, 1e-9, 60, annotators).power
        usual = mixed_model_power(spread, 1e-9, 60, annotators, method="wald").power
        assert valid < 0.065
        assert usual > valid + 0.01


def test_the_mixed_model_has_the_power_of_simulated_studies():
    rng = np.random.default_rng(2)
    documents, annotators = 20, 5
    hits = []
    for _ in range(2_000):
        favour = rng.normal(0, np.sqrt(2) * SPREAD.annotator, (annotators, 1))
        cells = 0.5 + rng.normal(0, np.sqrt(2) * SPREAD.summary, (1, documents)) + favour
        cells = cells + rng.normal(0, np.sqrt(2) * SPREAD.residual, (annotators, documents))
        by_annotator = documents * cells.mean(axis=1).var(ddof=1)
        by_document = annotators * cells.mean(axis=0).var(ddof=1)
        inner = cells - cells.mean(axis=1, keepdims=True) - cells.mean(axis=0) + cells.mean()
        rest = (inner**2).sum() / ((annotators - 1) * (documents - 1))
        a, d = max(by_annotator, rest), max(by_document, rest)
        scatter = a**2 / 4 + d**2 / 19 + rest**2 / 76
        t = cells.mean() / np.sqrt((a + d - rest) / cells.size)
        hits.append(abs(t) > stats.t.ppf(0.975, max((a + d - rest) ** 2 / scatter, 1)))
    expected = mixed_model_power(SPREAD, 0.5, documents, annotators).power
    assert expected == pytest.approx(np.mean(hits), abs=0.04)
    best = plan(difference=0.5, deviations=SPREAD, systems=4, over="both",
                documents=[documents], annotators=[annotators]).plans[0]  # fmt: skip
    # Corrected among 6 pairs; the other two systems add to what is known of the variances.
    assert best.power == mixed_model_power(SPREAD, 0.5, 20, 5, 0.05 / 6, systems=4).power


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
    assert best.power - 2 * best.error >= 0.8
    assert all(plan.sure < 0.8 for plan in result.plans if plan.judgements < best.judgements)
    assert 0 < best.pairs <= 3
    assert 1 < best.distinguishable <= 3
    # 39 times 2 degrees of freedom: the root of 78 over the 5 % point of chi-squared, 59.1.
    (uncertain,) = result.warnings
    assert re.fullmatch(
        r"The pilot’s 120 summaries only estimate the standard deviations, which may be 15 % "
        r"larger \(the upper limit at 95 %\); with these the plan has a power of [67]\d %\.",
        uncertain,
    )


def test_more_of_everything_never_hurts():
    plans = plan(difference=0.3, deviations=SPREAD).plans
    powers = {(each.documents, each.annotators): each.power for each in plans}
    for (documents, annotators), power in powers.items():
        for more in powers:
            if more[0] >= documents and more[1] >= annotators:
                assert powers[more] >= power - 0.01  # their standard errors are 0.5 % at most


def test_what_cannot_work_is_said():
    alike = replace(SPREAD, annotator=0.0)
    hopeless = plan(difference=0.05, deviations=alike, documents=[10, 20])
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
        difference=0.5,
        deviations=replace(SPREAD, annotator=0.0),
        systems=[2, 6],
        documents=[20, 200],
        annotators=[4],
    )
    small, large, few, many = result.plans
    assert (small.systems, few.systems) == (2, 6)
    assert small.judgements * 3 == few.judgements
    assert small.power > few.power + 0.2  # which is corrected among 15 pairs
    assert small.width == few.width  # of the usual interval
    assert small.distinguishable == pytest.approx(1 + small.power)
    assert 1 < few.distinguishable < many.distinguishable <= 6
    assert many.pairs > 14
    assert result.best == large


def test_corpora_and_annotators_that_are_too_few_are_named():
    few = plan(difference=0.1, deviations=replace(SPREAD, annotator=0.0), available=30)
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


def test_too_few_documents_have_no_power_and_the_reason_is_said():
    # 2^(1 - 7) times 6 pairs is 0.09, 2^(1 - 8) times 6 is 0.047.
    few = plan(difference=5.0, deviations=SPREAD, systems=4, documents=[4, 7])
    assert [tried.power for tried in few.plans] == [0.0] * len(few.plans)
    assert few.plans[0].width is None
    assert few.warnings[-1] == (
        "With 7 documents no difference between two of 4 systems can be significant: 8 or more are "
        "needed."
    )
    assert few.sentence.endswith("2 annotators on 4 documents have 0 %.")
    assert plan(difference=5.0, deviations=SPREAD, systems=4, documents=[8]).best is not None


def test_a_plan_says_what_its_power_means():
    options = {"difference": 0.5, "deviations": SPREAD, "documents": [20], "annotators": [5]}
    assert "p below 0.05. It supposes that every annotator" in plan(**options).meaning
    four = plan(**options, systems=4).meaning
    assert "after Holm’s correction among all 6 pairs of systems, as if no other pair" in four
    mixed = plan(**options, systems=4, over="both")
    assert "significantly better: the contrasts of the mixed model, which are in" in mixed.meaning
    assert "--pairs-over both` find the difference with a power of 0 %" in mixed.warnings[0]
    both = plan(**options, systems=4, over="both", method="flips")
    assert both.best is None
    assert "annotators of `gistmark study --pairs-over both`, p below" in both.meaning
    assert both.warnings[-2].endswith("with a power of 20 % (method satterthwaite).")
    assert "5 annotators would have a power of 0 %, as so few cannot" in both.warnings[-1]


def test_in_a_crowd_strictness_does_not_cancel():
    strict = replace(SPREAD, annotator=0.0, severity=1.0)
    size = {"difference": 0.5, "documents": [40], "annotators": [3]}
    alone, crowd, mild = (
        plan(**size, deviations=spread, design=design).plans[0].power
        for spread, design in ((strict, "crossed"), (strict, "crowd"), (SPREAD, "crowd"))
    )
    assert crowd < mild < alone
    assert (
        "drawn anew from a large crowd" in plan(**size, deviations=strict, design="crowd").meaning
    )
    with pytest.raises(UsageError, match="'crowd' is planned for ratings, and over documents only"):
        plan(difference=0.5, deviations=strict, design="crowd", over="both")


def test_with_one_summary_of_a_document_each_favours_stay_and_strictness_does_not_cancel():
    size = {"difference": 0.5, "documents": [40], "annotators": [3]}

    def power(design: str, **deviations: float) -> float:
        spread = Deviations(0.5, 0.8, **deviations)
        return plan(**size, deviations=spread, design=design).plans[0].power

    strict, taste = {"severity": 1.0}, {"annotator": 0.5}
    assert power("one-per-document", **strict) == power("crowd", **strict)
    assert power("one-per-document", **strict) < power("crossed", **strict)
    assert power("crossed", **taste) < power("one-per-document", **taste) < power("crowd", **taste)
    chosen = plan(**size, deviations=Deviations(0.5, 0.8), design="one-per-document")
    assert "an annotator judges one summary of a document, so that it takes" in chosen.meaning
    with pytest.raises(UsageError, match="Known: crossed"):
        plan(**size, deviations=SPREAD, design="latin")


def test_the_supposed_variance_of_one_summary_of_a_document_each_is_that_of_simulated_studies():
    documents, systems, judges, rng = 30, 3, 2, np.random.default_rng(4)
    people, spread = systems * judges, Deviations(0.3, 0.5, 0.4, 0.7)
    differences = []
    for _ in range(4_000):
        severity = rng.normal(0, spread.severity, people)
        favour = rng.normal(0, spread.annotator, (people, 2))
        order = rng.permuted(np.tile(np.arange(people), (documents, 1)), axis=1)
        who = order.reshape(documents, systems, judges)[:, :2]
        ratings = severity[who] + favour[who, np.arange(2)[None, :, None]]
        ratings += rng.normal(0, spread.residual, ratings.shape)
        means = ratings.mean(axis=2) + rng.normal(0, spread.summary, (documents, 2))
        differences.append((means[:, 0] - means[:, 1]).mean())
    # 0.3² of the summary; 0.5² + 0.7² + 0.4² of the rest, by two judges; 0.4² by six people
    supposed = 2 * (0.09 + 0.9 / 2) / documents + 2 * 0.16 / people
    assert np.var(differences) == pytest.approx(supposed, rel=0.08)
