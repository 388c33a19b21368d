"""How the study speaks: its short names in words, lists and counts."""

from __future__ import annotations

from collections.abc import Sequence

_ALPHA = "Krippendorff’s alpha"
STATISTICS = {
    "alpha": f"{_ALPHA}, as left and right are stored",
    "alpha-symmetric": f"{_ALPHA}, whichever side",
    "alpha-nominal": f"{_ALPHA}, nominal",
    "alpha-ordinal": f"{_ALPHA}, ordinal",
    "alpha-interval": f"{_ALPHA}, interval",
    "alpha-ratio": f"{_ALPHA}, ratio",
    "fleiss-kappa": "Fleiss’ kappa",
    "cohen-kappa": "Cohen’s kappa",
    "weighted-kappa": "Weighted kappa, quadratic",
    "weighted-kappa-linear": "Weighted kappa, linear",
    "icc1": "ICC(1,1)",
    "icc1k": "ICC(1,k)",
    "icc2": "ICC(2,1)",
    "icc2k": "ICC(2,k)",
    "icc3": "ICC(3,1)",
    "icc3k": "ICC(3,k)",
    "cv": "Coefficient of variation",
    "annotator-vs-rest": "Annotator against rest, Spearman",
    "annotator-vs-rest-pearson": "Annotator against rest, Pearson",
    "annotator-vs-rest-kendall": "Annotator against rest, Kendall",
    "split-k-rest": "Some against rest, Spearman",
    "pairwise-agreement": "Share of the majority",
    "transitivity": "Transitivity of annotators",
    "transitivity-majority": "Transitivity of majorities",
    "span-kappa": "Fleiss’ kappa on words",
    "span-kappa-min": "Fleiss’ kappa on words, lowest",
    "span-kappa-max": "Fleiss’ kappa on words, highest",
    "span-alpha": f"{_ALPHA} on words",
    "span-f1": "Pairwise F1 on words",
    "union-coverage": "Words that anybody highlighted",
    "second-half": "Highlights in the second half",
}

COEFFICIENTS = {"spearman": "Spearman", "pearson": "Pearson", "kendall": "Kendall"}
CORRECTIONS = {
    "holm": "Holm’s correction",
    "benjamini-hochberg": "Benjamini and Hochberg’s correction",
    "none": "not corrected",
}


def coefficient(code: str) -> str:
    """A coefficient's name for people."""
    return COEFFICIENTS.get(code, code)


def correction(code: str) -> str:
    """How p values were corrected, for people."""
    return CORRECTIONS.get(code, code)


def statistic(code: str) -> str:
    """A statistic's name for people; one that is not known here goes by its own."""
    return STATISTICS.get(code, code)


def listed(names: Sequence[str], most: int = 5) -> str:
    """`a`, `a and b`, `a, b and c`, or the first few `and 7 more`."""
    shown = list(names[:most])
    if len(names) > most:
        return f"{', '.join(shown)} and {len(names) - most:,} more"
    return " and ".join(filter(None, (", ".join(shown[:-1]), shown[-1]))) if shown else ""


def counted(number: int, noun: str) -> str:
    """`1 system`, `25 systems`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def sentence(text: str) -> str:
    """With a capital letter in front."""
    return text[:1].upper() + text[1:]
