"""What is said about campaigns: that they differ, where a test says so; and that they were pooled.

A sentence about a difference rests on a test that takes annotators as random. Where nobody judged
in both campaigns, it may still be one between the people that either found, and says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from gistmark.analysis.data.campaigns import campaign_name, campaigns_by_dimension
from gistmark.analysis.findings import words
from gistmark.analysis.findings.words import show_estimate, show_number, show_p
from gistmark.analysis.human.modes import TEST, Mode, ModeDifference
from gistmark.analysis.ranking.pairs import SIGNIFICANT
from gistmark.analysis.studies.records import Finding, Note
from gistmark.corpus import Corpus

OPTION = "--by campaign"

_ALSO_MEANS = (
    " It is the standard deviation over the mean, so it is higher where annotators differ more, "
    "and also where the ratings are lower."
)

_POOLED = {
    "comparisons": "choices",
    "responses": "answers",
}
_WITHOUT_DIMENSION = {
    "highlights": "Highlights",
    "presence": "Marks of content units",
    "spans": "Marked errors",
}


def campaign_findings(differences: Sequence[ModeDifference]) -> Iterator[Finding]:
    """A finding for each two campaigns that differ significantly over all systems."""
    for record in differences:
        if is_significant(record):
            yield _finding(record)


def is_significant(record: ModeDifference) -> bool:
    """Whether two campaigns differ over all systems together."""
    corrected = record.p_corrected
    return not record.system and corrected is not None and corrected < SIGNIFICANT


def _finding(record: ModeDifference) -> Finding:
    assert record.difference is not None
    higher = record.difference > 0
    upper, lower = (record.left, record.right) if higher else (record.right, record.left)
    low, high = record.low, record.high
    if not higher and low is not None and high is not None:
        low, high = -high, -low
    size = show_estimate(abs(record.difference), low, high)
    share = " of the scale" if record.normalised else ""
    if record.statistic == "mean":
        text = (
            f"Ratings of {record.dimension} are higher in {upper} than in {lower}: by "
            f"{size}{share}."
        )
    else:
        text = (
            f"The coefficient of variation of {record.dimension} is higher in {upper} than in "
            f"{lower}: by {size}."
        )
    people = f"{record.annotators_left} and {record.annotators_right} annotators"
    common = (
        f"{words.counted(record.shared, 'annotator')} judged in both"
        if record.shared
        else "no annotator judged in both, so it may be a difference between the people that the "
        "two campaigns found"
    )
    compared = (
        f" after Holm’s correction among {record.compared} comparisons"
        if record.compared > 1
        else ""
    )
    return Finding(
        kind="campaigns",
        text=text,
        detail=f"p {show_p(record.p_corrected)}{compared}, over {record.n:,} summaries of "
        f"{record.documents:,} documents that both rated; {TEST}: {people}, and {common}."
        f"{'' if record.statistic == 'mean' else _ALSO_MEANS}",
        by="ratings",
        dimension=record.dimension,
        name=upper,
        value=record.difference,
        low=record.low,
        high=record.high,
        p=record.p_corrected,
        compared=record.compared,
        n=record.n,
    )


def pooled_notes(
    corpus: Corpus, differences: Sequence[ModeDifference], *, split: bool
) -> Iterator[Note]:
    """That judgements of several campaigns were put together, how, and whether these differ.

    With `split`, only what has no dimension is.
    """
    if split and not any(
        len(campaigns) > 1
        for kind in ("ratings", *_POOLED)
        for campaigns in campaigns_by_dimension(getattr(corpus, kind)).values()
    ):
        yield Note("campaigns", f"No two campaigns judged one dimension: {OPTION} parts nothing.")
    if not split:
        for dimension, campaigns in campaigns_by_dimension(corpus.ratings).items():
            if len(campaigns) > 1:
                records = [r for r in differences if r.dimension == dimension and not r.system]
                yield Note(dimension, (
                    f"Ratings of {dimension} come from {_named(campaigns)} and were pooled: the "
                    "mean of each campaign counts equally for a summary, and agreement is among "
                    f"all annotators. {_verdict(records)} {OPTION} keeps campaigns apart."
                ))  # fmt: skip
        for kind, noun in _POOLED.items():
            for dimension, campaigns in campaigns_by_dimension(getattr(corpus, kind)).items():
                if len(campaigns) > 1:
                    yield Note(dimension, (
                        f"{words.sentence(noun)} of {dimension} come from {_named(campaigns)} and "
                        f"were pooled, each counting once; whether the campaigns differ was not "
                        f"tested. {OPTION} keeps them apart."
                    ))  # fmt: skip
    for kind, noun in _WITHOUT_DIMENSION.items():
        names = dict.fromkeys(campaign_name(mark.campaign) for mark in getattr(corpus, kind))
        if len(names) > 1:
            yield Note(kind, (
                f"{noun} come from {_named(list(names))} and were pooled"
                f"{', except for agreement' if split else ''}; whether the campaigns differ was "
                "not tested. Study the campaigns one by one to keep them apart."
            ))  # fmt: skip


def _named(campaigns: Collection[str]) -> str:
    return f"{len(campaigns)} campaigns ({words.listed(list(campaigns))})"


def _verdict(records: Sequence[ModeDifference]) -> str:
    """Whether the means of campaigns differ, as far as a test can tell."""
    means = [record for record in records if record.statistic == "mean"]
    pairs = [
        f"{record.left} from {record.right} by {show_number(record.difference)} "
        f"(p {show_p(record.p_corrected)})"
        for record in means
        if is_significant(record)
    ]
    if pairs:
        return f"The means of campaigns differ: {words.listed(pairs)}."
    if any(record.p is not None for record in means):
        return "A test over documents and annotators shows no difference between their means."
    reasons = list(dict.fromkeys(record.reason for record in means if record.reason))
    return f"Whether they differ cannot be tested: {words.listed(reasons, 2)}."


def campaign_methods(modes: Sequence[Mode], *, split: bool) -> Iterator[str]:
    """How campaigns were compared, if there are several."""
    if not modes:
        return
    if split:
        yield "A dimension that several campaigns judged is studied for each campaign by itself."
    yield (
        "Campaigns are compared on the summaries that both rated, by Student's t with the variance "
        "over documents plus the jackknife's variance over annotators, the fewer degrees of "
        "freedom of both (Welch's of the annotators), and Holm's correction among all systems' "
        "differences of a statistic. The coefficient of variation is (1 + 1/(4n)) s / mean of the "
        "n ratings of a summary."
    )
