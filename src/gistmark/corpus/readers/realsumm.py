"""REALSumm: pickles of system summaries with the LitePyramid recall that people gave them.

Bhandari, Gour, Ashfaq, Liu, Neubig: Re-evaluating Evaluation in Text Summarization, EMNLP 2020.
`scores_dicts/abs.pkl` and `ext.pkl` of github.com/neulab/REALSumm hold

    {doc_id: {"doc_id", "ref_summ", "system_summaries": {"bart_out.txt": {
        "system_summary", "scores": {"litepyramid_recall", "rouge_1_f_score", …}}}}}

A system is called as its file is, without `.txt`. Sentences stand between `<t>` and `</t>`; here
they become lines, with the words that the authors' own scripts take from between the tags. There
are no texts of documents. The pickle is read by `plain_pickle`, so nothing in it can run.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.draft import Draft
from gistmark.corpus.duplicates import OnDuplicate
from gistmark.corpus.fields import found
from gistmark.corpus.findings import Findings, Place
from gistmark.corpus.names import AGGREGATE
from gistmark.corpus.readers.plain_pickle import UnsafePickleError, read_plain_pickle

DIMENSION = "litepyramid_recall"
_TAG = re.compile(r"</?t>")


class RealSumm:
    """The released scores of REALSumm, and data in the same form."""

    name = "realsumm"
    description = "REALSumm's pickles (scores_dicts): summaries with their LitePyramid recall."

    def read(self, source: Path, *, on_duplicate: OnDuplicate = "refuse") -> Corpus:
        findings = Findings()
        reading = _Reading(source, Draft(findings))
        for key, entry in _entries(source, findings).items():
            reading.add_document(key, entry)
        reading.note_what_was_done()
        partial = bool(findings.problems)
        return reading.draft.finish(partial=partial, on_duplicate=on_duplicate)


def _entries(source: Path, findings: Findings) -> dict[object, object]:
    """The documents of the pickle; none after a problem."""
    place = (str(source), None)
    try:
        content = read_plain_pickle(source)
    except OSError as error:
        findings.problem(f"The file cannot be read: {error.strerror}.", place)
    except UnsafePickleError as error:
        findings.problem(str(error), place)
    else:
        if isinstance(content, dict) and content:
            return content
        findings.problem("The pickle must hold a dict of documents by id.", place)
    return {}


class _Reading:
    """The documents of a pickle on their way into a draft, and what is left out of them."""

    def __init__(self, source: Path, draft: Draft) -> None:
        self.draft = draft
        self._source = source
        self._others: Counter[str] = Counter()
        self._rated = self._unrated = self._tagged = 0

    def add_document(self, key: object, entry: object) -> None:
        place = (f"{self._source} (document {key})", None)
        fields = self._object(entry, "A document", place)
        if fields is None:
            return
        id = _digits(fields.get("doc_id", key))
        references = fields.get("ref_summ")
        several = references if isinstance(references, list) else [references]
        for number, text in enumerate(several, start=1):
            if text is not None:
                self.draft.reference(place, id, number, self._untagged(text))
        systems = self._object(fields.get("system_summaries"), "'system_summaries'", place)
        for name, summary in (systems or {}).items():
            self._add_summary(place, id, str(name).removesuffix(".txt"), summary)

    def _add_summary(self, place: Place, id: str, system: str, summary: object) -> None:
        fields = self._object(summary, f"The summary of {system!r}", place)
        if fields is None:
            return
        self.draft.summary(place, id, system, self._untagged(fields.get("system_summary")))
        scores = self._object(fields.get("scores", {}), f"The scores of {system!r}", place) or {}
        self._others.update(str(name) for name in scores if name != DIMENSION)
        if DIMENSION not in scores:
            self._unrated += 1
            return
        self._rated += 1
        self.draft.add(
            "ratings",
            place,
            document=id,
            system=system,
            annotator=AGGREGATE,
            dimension=DIMENSION,
            value=scores[DIMENSION],
        )

    def _object(self, value: object, what: str, place: Place) -> dict[object, object] | None:
        if isinstance(value, dict):
            return value
        self.draft.findings.problem(f"{what} must be a dict, but is {found(value)}.", place)
        return None

    def _untagged(self, text: object) -> object:
        """Sentences as lines; a text without tags stays as it is."""
        if not isinstance(text, str) or not _TAG.search(text):
            return text
        self._tagged += 1
        return "\n".join(filter(None, map(str.strip, _TAG.split(text))))

    def note_what_was_done(self) -> None:
        place = (str(self._source), None)
        note = self.draft.findings.note
        if self._tagged:
            note(f"In {self._tagged:,} texts the tags <t> and </t> became line breaks.", place)
        if self._rated:
            note(
                f"{DIMENSION} is one value per summary, so its annotator is called {AGGREGATE!r}; "
                "the file does not say how far people agreed.",
                place,
            )
        if self._unrated:
            note(f"{self._unrated:,} summaries have no {DIMENSION}.", place)
        if self._others:
            names = ", ".join(sorted(self._others))
            note(f"{self._others.total():,} values of other scores were left out: {names}.", place)


def _digits(id: object) -> str:
    """An id as text; one that is neither a number nor text is left for the check to refuse."""
    return str(id) if type(id) is int else id  # type: ignore[return-value]


FORMAT = RealSumm()
