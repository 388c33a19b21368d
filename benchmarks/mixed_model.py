"""A crossed mixed model of ratings against statsmodels, and of 100,000 ratings by itself.

statsmodels' MixedLM keeps dense matrices of all ratings, so the two are compared on a size that it
can handle; the estimates must agree.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas
import statsmodels.formula.api as formulas

from gistmark.analysis.variance.design import RESIDUAL, Observations, identifiable
from gistmark.analysis.variance.mixed_model import Contrast, Fit, fit
from harness import best_of, report

TERMS = ("annotator", "document", "annotator:document")


def simulated(systems: int, annotators: int, documents: int) -> Observations:
    """Every annotator rates every system on every document, with effects of all terms."""
    rng = np.random.default_rng(5)
    grid = np.meshgrid(*map(np.arange, (systems, annotators, documents)), indexing="ij")
    s, a, d = (each.ravel() for each in grid)
    value = 3 + 0.2 * s + rng.normal(0, 0.6, annotators)[a] + rng.normal(0, 0.5, documents)[d]
    value += rng.normal(0, 0.5, (annotators, documents))[a, d] + rng.normal(0, 0.6, len(s))
    return Observations(value, s, a, d)


def some(data: Observations, annotators: int) -> Observations:
    """The same with every document rated by so many annotators, chosen at random."""
    rng = np.random.default_rng(6)
    ranks = rng.permuted(np.tile(np.arange(data.annotator.max() + 1), (data.document.max() + 1, 1)),
                          axis=1)  # fmt: skip
    kept = ranks[data.document, data.annotator] < annotators
    return Observations(*(getattr(data, name)[kept]
                          for name in ("value", "system", "annotator", "document")))  # fmt: skip


def fitted(data: Observations, terms: Sequence[str], weights: np.ndarray) -> Contrast:
    """A study's work on a dimension: the model, and a difference with its degrees of freedom."""
    return fit(data, terms).contrast(weights)


def by_statsmodels(data: Observations) -> Any:
    frame = pandas.DataFrame(
        {"y": data.value, "s": data.system, "a": data.annotator, "d": data.document, "all": 1}
    )
    frame["cell"] = frame.a * 1000 + frame.d
    parts = {
        "annotator": "0 + C(a)", "document": "0 + C(d)", "annotator:document": "0 + C(cell)",
    }  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = formulas.mixedlm("y ~ 0 + C(s)", frame, groups="all", vc_formula=parts)
        return model.fit(reml=True)


def check(own: Fit, peer: Any) -> None:
    known = dict(zip(peer.model.exog_vc.names, peer.vcomp, strict=True))
    known[RESIDUAL] = peer.scale
    for name, value in known.items():
        if not abs(own.variances[name] - value) < 2e-3:
            raise SystemExit(f"{name} is {own.variances[name]}, statsmodels has {value}")
    if not np.allclose(own.means, peer.fe_params, atol=1e-4):
        raise SystemExit(f"the means are {own.means}, statsmodels has {peer.fe_params}")


def main() -> None:
    small = simulated(5, 6, 30)
    (theirs, ours), (peer, own) = best_of(
        2, lambda: by_statsmodels(small), lambda: fit(small, TERMS)
    )
    check(own, peer)
    print(f"      {ours * 1000:,.1f} ms, statsmodels {theirs * 1000:,.1f} ms")
    name = "mixed model, 900 ratings, speed over statsmodels MixedLM"
    report(name, theirs / ours, ">= 20", theirs >= 20 * ours)
    whole = simulated(25, 40, 100)
    sparse = some(simulated(25, 40, 400), annotators=10)
    usual = some(simulated(16, 12, 200), annotators=3)
    for name, data in (
        ("complete", whole),
        ("by 10 of 40 annotators each", sparse),
        ("by 3 of 12 annotators each", usual),
    ):
        terms = identifiable(data)
        contrast = np.eye(data.sizes[0])[0] - np.eye(data.sizes[0])[1]
        (seconds,), _ = best_of(1, partial(fitted, data, terms, contrast))
        claim = f"mixed model of {len(terms)} terms, {len(data.value):,} ratings, {name}, seconds"
        report(claim, seconds, "<= 60", seconds <= 60)


if __name__ == "__main__":
    main()
