"""What a helper was worth: how many judged documents it saved, or that it did not help."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from gistmark.analysis.findings import words
from gistmark.analysis.prediction_powered import Powered
from gistmark.analysis.studies.records import Finding


def helper_findings(records: Sequence[Powered], human: str | None) -> Iterator[Finding]:
    """One sentence about the means of systems, by the leading human score or else the first.

    Where the interval of not even half of the systems is narrower by a whole document, the helper
    does not help.
    """
    names = dict.fromkeys(record.human for record in records)
    chosen = human if human in names else next(iter(names), None)
    means = [r for r in records if r.human == chosen and not r.right and r.saved is not None]
    if not means:
        return
    saved = sorted(r.saved for r in means if r.saved is not None)
    middle = int(median(saved))
    judged, helper = median(r.n for r in means), means[0].helper
    yield Finding(
        kind="helper",
        text=_helps(helper, middle) if middle else _helps_not(helper),
        detail=_detail(saved, int(judged), str(chosen)),
        by="ratings",
        dimension=str(chosen),
        name=helper,
        value=float(middle),
        compared=len(means),
        n=int(judged),
    )


def _helps(helper: str, saved: int) -> str:
    more = words.counted(saved, "more judged document")
    return f"With {helper}, the interval of a typical system’s mean is as narrow as with {more}."


def _helps_not(helper: str) -> str:
    return f"{helper} does not help: it makes no typical system’s interval narrower."


def _detail(saved: Sequence[int], judged: int, human: str) -> str:
    each = words.counted(judged, "document")
    span = f"from {saved[0]:,} to {saved[-1]:,}" if saved[0] < saved[-1] else f"{saved[0]:,}"
    return (
        f"{human}, {words.counted(len(saved), 'system')}: people judged {each} of a typical "
        f"system, and the helper is worth {span} more. PPI++, if the judged documents are a random "
        "sample."
    )
