"""The methods paragraph: what a study computed, in words that can go into a paper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmark._version import __version__
from gistmark.corpus import Corpus
from gistmark.scoring import Scores

if TYPE_CHECKING:
    from gistmark.study.study import StudyOptions


def methods_text(corpus: Corpus, scores: Scores | None, options: StudyOptions) -> str:
    """A paragraph on the data, the statistics and the resampling of a study."""
    parts = [f"Computed with Gistmark {__version__}.", _data(corpus)]
    if corpus.ratings:
        parts.append(
            "Agreement between annotators is Krippendorff's alpha (ordinal for scales of few whole "
            "numbers, interval otherwise), Fleiss' kappa, intraclass correlations, and the "
            "Spearman correlation of each annotator with the mean of the others. HS1 is the mean "
            "of the normalised dimensions, HS2 weights them by the softmax of the row sums of "
            "their correlation matrix, and HS3 is the overall dimension."
        )
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
            f"permutation and by Williams' test, with {options.correction.capitalize()}'s "
            "correction for many comparisons."
        )
    over = options.over or "documents, or documents and systems where there are several"
    parts.append(
        f"Intervals hold 95 % of {options.resamples:,} bootstrap samples over {over}, drawn with "
        f"seed {options.seed}. Ranks within a document average ties; the normalised mean rank is "
        "(n - rank) / (n - 1), averaged over documents. Systems share a cluster while neighbours "
        "do not differ significantly at 5 % after correction."
    )
    return " ".join(parts)


def _data(corpus: Corpus) -> str:
    counts = [f"{count:,} {name}" for name, count in corpus.counts().items() if count]
    return f"The corpus has {', '.join(counts)}."
