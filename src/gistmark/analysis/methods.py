"""The methods paragraph: what a study computed, in words that can go into a paper."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from gistmark._version import __version__
from gistmark.analysis import words
from gistmark.corpus import Corpus
from gistmark.scoring import Scores

if TYPE_CHECKING:
    from gistmark.analysis.study import StudyOptions


_COMPOSITES = {
    "HS1": "HS1 is the mean of the normalised dimensions but the overall one.",
    "HS2": "HS2 weights them by the softmax of the row sums of their correlation matrix.",
    "HS3": "HS3 is the normalised overall dimension.",
}


def methods_text(
    corpus: Corpus, scores: Scores | None, options: StudyOptions, humans: Collection[str]
) -> str:
    """A paragraph on the data, the statistics and the resampling of a study.

    `humans` are the human scores that were made.
    """
    parts = [f"Computed with Gistmark {__version__}.", _data(corpus)]
    if corpus.ratings:
        parts.append(
            "Agreement between annotators is Krippendorff's alpha (ordinal for scales of few whole "
            "numbers, interval otherwise), Fleiss' kappa, intraclass correlations, and the "
            "Spearman correlation of each annotator with the mean of the others."
        )
    parts += [said for name, said in _COMPOSITES.items() if name in humans]
    if corpus.comparisons:
        parts.append(
            "Comparisons are summarised by the share of the majority with its chance level, by "
            "nominal alpha in the stored orientation and free of it, and by Bradley-Terry "
            "strengths with a small penalty that keeps undefeated systems finite."
        )
    if corpus.highlights:
        parts.append(
            "Highlights are compared word by word (words between white space): Fleiss' kappa per "
            "document, alpha, and pairwise F1."
        )
    if scores is not None:
        parts.append(
            "Metrics are correlated with human scores (Pearson, Spearman, Kendall's tau-b) over "
            "all summaries (global), over the systems' means (system), and within each document "
            "averaged over documents (summary). Differences between metrics are tested by "
            f"{_TESTS[options.test]}; p values are corrected "
            f"({words.correction(options.correction)}) among the comparisons of a family."
        )
    over = options.over or "documents, or documents and systems where there are several"
    parts.append(
        f"Intervals hold 95 % of {options.resamples:,} bootstrap samples over {over}, drawn with "
        f"seed {options.seed}. Ranks within a document average ties; the normalised mean rank is "
        f"(n - rank) / (n - 1), averaged over documents. {_pairs(options)}"
    )
    return " ".join(parts)


def _data(corpus: Corpus) -> str:
    counts = [f"{count:,} {name}" for name, count in corpus.counts().items() if count]
    return f"The corpus has {', '.join(counts)}."


_TESTS = {
    "bootstrap": "bootstrap (interval and p from the standard deviation of the same draws)",
    "permutation": "permutation of the two metrics' scores",
    "williams": "Williams' test, where the rows are independent",
}


def _pairs(options: StudyOptions) -> str:
    over = "documents"
    if options.pairs_over == "both":
        over += ", for means of ratings over documents and annotators"
    return (
        f"Every pair of systems is tested by sign flips over {over}: all choices of signs where "
        "they are few, else random ones, the more the smaller p is; the interval of a difference "
        "holds what this test does not reject. p values are corrected by Holm among all pairs of "
        "a ranking. "
        "Systems share a letter if no pair among them differs significantly at 5 %; letters are "
        "all such groups that cannot be made larger. Contributions of documents to a "
        "Bradley-Terry strength are those of the infinitesimal jackknife."
    )
