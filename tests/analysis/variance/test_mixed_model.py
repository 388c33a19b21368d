"""The crossed mixed model against closed forms and statsmodels, and what a study says by it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from scipy import optimize, special

from gistmark.analysis.variance.components import variance_of
from gistmark.analysis.variance.design import RESIDUAL, TERMS, Observations, identifiable
from gistmark.analysis.variance.likelihood import Balanced
from gistmark.analysis.variance.mixed_model import fit
from gistmark.analysis.variance.unbalanced import Unbalanced
from gistmark.records import Rating

CROSSED = ("annotator", "document", "annotator:document")


def simulated(
    systems: int,
    annotators: int,
    documents: int,
    deviations: Sequence[float] = (0.5, 0.4, 0.3, 0.2, 0.6),
    *,
    favour: float = 0.0,
    kept: float = 1.0,
    seed: int = 1,
) -> Observations:
    """Ratings with these standard deviations: four terms of the model, then the residual."""
    rng = np.random.default_rng(seed)
    grid = np.meshgrid(*map(np.arange, (systems, annotators, documents)), indexing="ij")
    s, a, d = (each.ravel() for each in grid)
    effects = [
        rng.normal(0, size, shape)
        for size, shape in zip(
            deviations[:4],
            (annotators, documents, (annotators, documents), (documents, systems)),
            strict=True,
        )
    ]
    value = 3 + 0.2 * s + effects[0][a] + effects[1][d] + effects[2][a, d] + effects[3][d, s]
    value += rng.normal(0, deviations[4], len(s))
    value += rng.normal(0, favour, (annotators, systems))[a, s]
    chosen = rng.uniform(size=len(s)) < kept
    return Observations(value[chosen], s[chosen], a[chosen], d[chosen])


def test_balanced_data_have_the_variances_of_the_analysis_of_variance():
    data = simulated(3, 4, 6)
    table = np.zeros((3, 4, 6))
    table[data.system, data.annotator, data.document] = data.value
    # Mean squares of a crossed design with the cells (annotator, document) as replicates of
    # systems: variances are differences of mean squares over the number of values in a level.
    cells = table.mean(axis=0)
    overall = cells.mean()
    by_annotator, by_document = cells.mean(axis=1), cells.mean(axis=0)
    square_a = 18 * ((by_annotator - overall) ** 2).sum() / 3
    square_d = 12 * ((by_document - overall) ** 2).sum() / 5
    inner = cells - by_annotator[:, None] - by_document[None, :] + overall
    square_ad = 3 * (inner**2).sum() / 15
    rest = table - cells - table.mean(axis=(1, 2))[:, None, None] + overall
    square_e = (rest**2).sum() / (72 - 24 - 2)
    result = fit(data, CROSSED)
    expected = {
        "annotator": (square_a - square_ad) / 18,
        "document": (square_d - square_ad) / 12,
        "annotator:document": (square_ad - square_e) / 3,
        RESIDUAL: square_e,
    }
    assert min(expected.values()) > 0, "the closed form holds only inside the bounds"
    assert result.variances == pytest.approx(expected, rel=1e-4)
    assert result.means == pytest.approx(table.mean(axis=(1, 2)), abs=1e-9)
    # Two systems were rated by the same people on the same documents: only the residual differs.
    gap = result.contrast(np.array([1.0, -1.0, 0.0]))
    assert gap.error == pytest.approx(np.sqrt(2 * square_e / 24), rel=1e-4)
    assert gap.freedom == pytest.approx(72 - 24 - 2, rel=0.01)


@pytest.mark.parametrize(
    ("terms", "sizes", "favour", "seed"),
    [(CROSSED, (3, 5, 9), 0.0, 5), (tuple(TERMS), (3, 4, 6), 0.5, 17)],
)
def test_unbalanced_data_agree_with_statsmodels(
    terms: tuple[str, ...], sizes: tuple[int, int, int], favour: float, seed: int
):
    import pandas
    import statsmodels.formula.api as formulas

    data = simulated(*sizes, favour=favour, kept=0.9, seed=seed)
    frame = pandas.DataFrame(
        {"y": data.value, "s": data.system, "a": data.annotator, "d": data.document, "all": 1}
    )
    frame["annotator:document"] = frame.a * 100 + frame.d
    frame["document:system"] = frame.s * 100 + frame.d
    frame["annotator:system"] = frame.s * 100 + frame.a
    columns = {"annotator": "a", "document": "d"}
    parts = {name: f"0 + C(Q('{columns.get(name, name)}'))" for name in terms}
    peer = formulas.mixedlm("y ~ 0 + C(s)", frame, groups="all", vc_formula=parts).fit(reml=True)
    result = fit(data, terms)
    assert result.deviance == pytest.approx(-2 * peer.llf, abs=1e-4)
    assert result.means == pytest.approx(peer.fe_params.to_numpy(), abs=1e-4)
    assert np.sqrt(np.diag(result.covariance)) == pytest.approx(peer.bse_fe.to_numpy(), abs=1e-3)
    known = dict(zip(peer.model.exog_vc.names, peer.vcomp, strict=True))
    for name in terms:
        assert result.variances[name] == pytest.approx(known[name], abs=1e-3)
    assert result.variances[RESIDUAL] == pytest.approx(peer.scale, abs=1e-3)


def test_it_does_not_matter_whether_documents_or_annotators_are_more():
    data = simulated(3, 4, 9, kept=0.8)
    turned = Observations(data.value, data.system, data.document, data.annotator)
    one, other = fit(data, CROSSED), fit(turned, CROSSED)
    assert one.deviance == pytest.approx(other.deviance, abs=1e-6)
    assert one.variances["annotator"] == pytest.approx(other.variances["document"], abs=1e-4)


def test_a_source_without_influence_has_no_variance():
    data = simulated(4, 5, 10, (0.0, 0.8, 0.0, 0.0, 0.5), seed=4)
    result = fit(data, CROSSED)
    assert result.variances["annotator"] < 0.02
    assert result.variances["document"] > 0.3


def test_only_what_the_design_tells_apart_is_in_the_model():
    whole = simulated(3, 3, 5)
    assert identifiable(whole) == tuple(TERMS)
    first = whole.annotator == (whole.document + whole.system) % 3
    once = Observations(*(getattr(whole, name)[first] for name in whole.__dataclass_fields__))
    assert identifiable(once) == ("annotator", "document", "annotator:system")
    # Documents of one annotator each: how the annotator takes one cannot be told from the document.
    own = whole.annotator == whole.document % 3
    nested = Observations(*(getattr(whole, name)[own] for name in whole.__dataclass_fields__))
    assert identifiable(nested) == ("annotator", "document", "annotator:system")


def test_a_variance_that_the_search_met_at_nothing_is_tried_again():
    """A search that starts far away steps to 0 on its way, where its derivative tells nothing."""
    data = simulated(5, 8, 30, (0.6, 0.5, 0.5, 0.08, 0.6), kept=0.5, seed=3)
    result = fit(data, tuple(TERMS))
    for number in np.flatnonzero(result.theta == 0):
        for size in (0.02, 0.05, 0.15):
            moved = result.theta.copy()
            moved[number] = size
            assert result.likelihood.deviance(moved) > result.deviance - 1e-6
    free = optimize.minimize(
        lambda x: result.likelihood.deviance(np.exp(x)), np.full(5, np.log(0.2)),
        method="Nelder-Mead", options={"maxiter": 150},
    )  # fmt: skip
    assert free.fun > result.deviance - 1e-3


def test_a_term_that_would_take_minutes_is_left_out():
    """Incomplete ratings of 20 documents by 400 each: 20 times 400 squared is 3.2 million."""
    large = simulated(10, 40, 20)
    assert "annotator:system" in identifiable(large)
    some = Observations(large.value[1:], large.system[1:], large.annotator[1:], large.document[1:])
    assert identifiable(some) == (*CROSSED, "document:system")


def test_complete_ratings_have_in_closed_form_what_elimination_finds():
    data = simulated(3, 4, 6)
    one, other = Balanced(data, tuple(TERMS)), Unbalanced(data, tuple(TERMS))
    for theta in (np.array([0.7, 0.3, 0.5, 0.2, 0.4]), np.array([0.5, 0.0, 0.3, 0.0, 0.6])):
        assert one.deviance(theta) == pytest.approx(other.deviance(theta), abs=1e-8)
        assert one.state(theta).inverse == pytest.approx(other.state(theta).inverse, abs=1e-9)
        assert one.state(theta).means == pytest.approx(other.state(theta).means, abs=1e-9)
        steps = 1e-6 * np.eye(len(theta))
        slopes = [(one.deviance(theta + s) - one.deviance(theta - s)) / 2e-6 for s in steps]
        assert one.gradient(theta) == pytest.approx(slopes, abs=1e-4)


@pytest.mark.parametrize("favour", [0.0, 0.4])
def test_equal_systems_are_told_apart_by_one_study_in_twenty(favour: float):
    """Three annotators who favour systems or do not: p below 0.05 in 5 % of studies or fewer.

    200 studies have a standard error of 1.5 %; without the term for favour it is 40 %.
    """
    rng, found = np.random.default_rng(3), 0
    systems, annotators, documents = 2, 3, 20
    s, a, d = (each.ravel() for each in np.indices((systems, annotators, documents)))
    for _ in range(200):
        value = rng.normal(0, 0.5, (documents, 2))[d, s] + rng.normal(0, 0.7, len(s))
        value += rng.normal(0, favour, (annotators, 2))[a, s]
        gap = fit(Observations(value, s, a, d), tuple(TERMS)).contrast(np.array([1.0, -1.0]))
        found += abs(gap.estimate) > gap.error * special.stdtrit(gap.freedom, 0.975)
    assert found / 200 < 0.095


def test_a_variance_of_nothing_is_not_known_to_be_nothing():
    """Where annotators seem to favour no system, degrees of freedom stay near those of few people.

    The mean square of annotators by systems is below that of the rest. With it, Satterthwaite's
    formula on the mean squares (a, d and e, by annotators, documents and neither) is the reference.
    """
    for seed in range(50):
        data = simulated(2, 3, 20, (0.5, 0.4, 0.3, 0.2, 0.6), seed=seed)
        result = fit(data, tuple(TERMS))
        if result.variances["annotator:system"] == 0 < result.variances["document:system"]:
            break
    e = result.variances[RESIDUAL]
    d = e + 3 * result.variances["document:system"]
    expected = d**2 / (e**2 / 2 + d**2 / 19 + e**2 / 38)
    contrast = np.array([1.0, -1.0])
    assert result.contrast(contrast).freedom == pytest.approx(expected, rel=1e-3)
    some = Observations(data.value[1:], data.system[1:], data.annotator[1:], data.document[1:])
    assert fit(some, tuple(TERMS)).contrast(contrast).freedom == pytest.approx(expected, rel=0.3)


def ratings(data: Observations, *, dimension: str = "overall") -> list[Rating]:
    columns = zip(data.document, data.system, data.annotator, data.value, strict=True)
    return [
        Rating(f"d{d}", f"s{s}", f"a{a}", dimension, float(value)) for d, s, a, value in columns
    ]


def test_a_study_has_shares_reliability_and_differences():
    variance = variance_of(ratings(simulated(3, 4, 12)))
    shares = {each.source: each.share for each in variance.components}
    assert set(shares) == {"system", *TERMS, RESIDUAL}
    assert sum(share or 0.0 for share in shares.values()) == pytest.approx(1.0)
    sizes = {each.source: each.variance or 0.0 for each in variance.components}
    kept = sizes["system"] + sizes["document"] + sizes["document:system"]
    noise = sizes["annotator"] + sizes["annotator:document"] + sizes[RESIDUAL]
    noise += sizes["annotator:system"]
    values = {each.annotators: each.value for each in variance.reliability}
    assert values[5] == pytest.approx(kept / (kept + noise / 5))
    assert len(variance.contrasts) == 3
    assert {each.over for each in variance.contrasts} == {"both"}
    for each in variance.contrasts:
        assert None not in (each.difference, each.low, each.high, each.p, each.p_corrected)
        assert each.difference >= 0  # type: ignore[operator]
        assert each.p_corrected >= each.p  # type: ignore[operator]
        excluded = each.low > 0 or each.high < 0  # type: ignore[operator]
        assert excluded == (each.p < 0.05)  # type: ignore[operator]


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (simulated(3, 1, 5), "there is one annotator, so nothing can be said about others"),
        (simulated(3, 4, 1), "there is one document, so nothing can be said about others"),
        (Observations(np.ones(8), *np.indices((2, 2, 2)).reshape(3, 8)), "all ratings are equal"),
        (simulated(2, 2, 2, kept=0.7, seed=5),
         "4 ratings are too few for a model with 5 parameters"),
    ],
)  # fmt: skip
def test_what_no_model_fits_has_a_reason_and_no_number(data: Observations, reason: str):
    variance = variance_of(ratings(data))
    assert [(each.share, each.reason) for each in variance.components] == [(None, reason)]
    assert [(each.value, each.reason) for each in variance.reliability] == [(None, reason)]
    assert variance.contrasts == ()


def test_systems_that_nothing_links_are_not_compared():
    one = ratings(simulated(2, 3, 6))
    other = [
        Rating(f"x{r.document}", f"x{r.system}", f"x{r.annotator}", r.dimension, r.value)
        for r in ratings(simulated(2, 3, 6, seed=2))
    ]
    contrasts = variance_of([*one, *other]).contrasts
    apart = [each for each in contrasts if each.left[0] != each.right[0]]
    assert len(apart) == 4
    assert {each.reason for each in apart} == {"no document and no annotator links the two systems"}
    assert all(each.p is None for each in apart)
