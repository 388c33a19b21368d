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
from gistmark.corpus.fields import describe
from gistmark.corpus.formats.datasets.plain_pickle import UnsafePickleError, read_plain_pickle
from gistmark.corpus.formats.draft import AGGREGATE, Draft
from gistmark.corpus.schemas.checks import OnDuplicate
from gistmark.errors import Diagnostics, Location

DIMENSION = "litepyramid_recall"
_TAG = re.compile(r"</?t>")


class RealSumm:
    """The released scores of REALSumm, and data in the same form."""

    name = "realsumm"
    description = "REALSumm's pickles (scores_dicts): summaries with their LitePyramid recall."

    def read(self, source: Path, *, on_duplicate: OnDuplicate = "refuse") -> Corpus:
        diagnostics = Diagnostics()
        reading = _Reading(source, Draft(diagnostics))
        for key, entry in _entries(source, diagnostics).items():
            reading.add_document(key, entry)
        reading.add_notes()
        partial = bool(diagnostics.problems)
        return reading.draft.finish(partial=partial, on_duplicate=on_duplicate)


def _entries(source: Path, diagnostics: Diagnostics) -> dict[object, object]:
    """The documents of the pickle; none after a problem."""
    location = (str(source), None)
    try:
        content = read_plain_pickle(source)
    except OSError as error:
        diagnostics.problem(f"The file cannot be read: {error.strerror}.", location)
    except UnsafePickleError as error:
        diagnostics.problem(str(error), location)
    else:
        if isinstance(content, dict) and content:
            return content
        diagnostics.problem("The pickle must hold a dict of documents by id.", location)
    return {}


class _Reading:
    """Puts the documents of a pickle into a draft, and counts what is left out."""

    def __init__(self, source: Path, draft: Draft) -> None:
        self.draft = draft
        self._source = source
        self._other_scores: Counter[str] = Counter()
        self._rated = self._unrated = self._tagged = 0

    def add_document(self, key: object, entry: object) -> None:
        location = (f"{self._source} (document {key})", None)
        fields = self._object(entry, "A document", location)
        if fields is None:
            return
        id = _id_text(fields.get("doc_id", key))
        references = fields.get("ref_summ")
        texts = references if isinstance(references, list) else [references]
        for number, text in enumerate(texts, start=1):
            if text is not None:
                self.draft.reference(location, id, number, self._replace_tags(text))
        systems = self._object(fields.get("system_summaries"), "'system_summaries'", location)
        for name, summary in (systems or {}).items():
            self._add_summary(location, id, str(name).removesuffix(".txt"), summary)

    def _add_summary(self, location: Location, id: str, system: str, summary: object) -> None:
        fields = self._object(summary, f"The summary of {system!r}", location)
        if fields is None:
            return
        self.draft.summary(location, id, system, self._replace_tags(fields.get("system_summary")))
        scores = self._object(fields.get("scores", {}), f"The scores of {system!r}", location) or {}
        self._other_scores.update(str(name) for name in scores if name != DIMENSION)
        if DIMENSION not in scores:
            self._unrated += 1
            return
        self._rated += 1
        self.draft.add(
            "ratings",
            location,
            document=id,
            system=system,
            annotator=AGGREGATE,
            dimension=DIMENSION,
            value=scores[DIMENSION],
        )

    def _object(self, value: object, what: str, location: Location) -> dict[object, object] | None:
        if isinstance(value, dict):
            return value
        self.draft.diagnostics.problem(
            f"{what} must be a dict, but is {describe(value)}.", location
        )
        return None

    def _replace_tags(self, text: object) -> object:
        """Put each tagged sentence on a line; a text without tags stays as it is."""
        if not isinstance(text, str) or not _TAG.search(text):
            return text
        self._tagged += 1
        return "\n".join(filter(None, map(str.strip, _TAG.split(text))))

    def add_notes(self) -> None:
        location = (str(self._source), None)
        note = self.draft.diagnostics.note
        if self._tagged:
            note(f"In {self._tagged:,} texts the tags <t> and </t> became line breaks.", location)
        if self._rated:
            note(
                f"{DIMENSION} is one value per summary, so its annotator is called {AGGREGATE!r}; "
                "the file does not say how far people agreed.",
                location,
            )
        if self._unrated:
            note(f"{self._unrated:,} summaries have no {DIMENSION}.", location)
        if self._other_scores:
            names = ", ".join(sorted(self._other_scores))
            note(
                f"{self._other_scores.total():,} values of other scores were left out: {names}.",
                location,
            )


def _id_text(id: object) -> str:
    """An id as text; a later check refuses one that is neither a number nor text."""
    return str(id) if type(id) is int else id  # type: ignore[return-value]


FORMAT = RealSumm()
