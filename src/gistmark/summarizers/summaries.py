"""The result of a run: each system's summary of each document, and what could not be written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from typing import TYPE_CHECKING

from gistmark.corpus import Corpus
from gistmark.errors import MissingExtraError, UsageError
from gistmark.records import Summary
from gistmark.summarizers.summarizer import Outcome

if TYPE_CHECKING:
    import pandas
    import polars


@dataclass(frozen=True, slots=True)
class Record:
    """A system's summary of a document."""

    document: str
    system: str
    outcome: Outcome

    @property
    def summary(self) -> Summary:
        """The record that a corpus has for it."""
        return Summary(self.document, self.system, self.outcome.text)


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that a system could not summarise, and why."""

    document: str
    system: str
    reason: str


@dataclass(frozen=True, repr=False)
class Summaries:
    """The summaries of a run, system by system, and what could not be written.

    `signatures` has one for each system that wrote, with the limit at its end. Where its parts were
    trained on different examples, what differs is joined by `+`.
    """

    records: tuple[Record, ...]
    failures: tuple[Failure, ...]
    signatures: Mapping[str, str]

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Record]:
        return iter(self.records)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems that wrote at least one summary."""
        return tuple(self.signatures)

    @property
    def notes(self) -> dict[str, Counter[str]]:
        """For each system, how often it left each note."""
        notes: dict[str, Counter[str]] = {system: Counter() for system in self.systems}
        for record in self.records:
            if record.outcome.note:
                notes[record.system][record.outcome.note] += 1
        return notes

    def added_to(self, corpus: Corpus, *, replace: bool = False) -> Corpus:
        """The corpus with these summaries added.

        A system that has summaries there already is an error, unless they are to be replaced:
        then all of that system go, so that none of an older run stays among the new ones.
        """
        refuse_known(corpus, self.systems, replace=replace)
        older = (summary for summary in corpus.summaries if summary.system not in self.signatures)
        added = (record.summary for record in self.records)
        return changed(corpus, summaries=(*older, *added))

    def to_pandas(self) -> pandas.DataFrame:
        """A table: document, system, text, note."""
        import pandas as pd

        return pd.DataFrame(self._columns())

    def to_polars(self) -> polars.DataFrame:
        """A polars frame: document, system, text, note."""
        try:
            import polars as pl
        except ImportError:
            raise MissingExtraError("polars") from None
        return pl.DataFrame(self._columns(), schema_overrides={"note": pl.String})

    def _columns(self) -> dict[str, list[str | None]]:
        return {
            "document": [record.document for record in self.records],
            "system": [record.system for record in self.records],
            "text": [record.outcome.text for record in self.records],
            "note": [record.outcome.note for record in self.records],
        }

    def __repr__(self) -> str:
        failed = f"; {len(self.failures):,} could not be written" if self.failures else ""
        return f"<Summaries: {len(self):,} by {', '.join(self.systems) or 'nobody'}{failed}>"


def refuse_known(corpus: Corpus, systems: Sequence[str], *, replace: bool) -> None:
    """Raise where a system has summaries in the corpus that must stay.

    References always do, and so do summaries with marked errors, whose offsets fit no other text.
    """
    gold = {summary.system for summary in corpus.summaries if summary.reference}
    for system in systems:
        if system in gold:
            raise UsageError(f"{system!r} is the name of references in this corpus.")
    existing = [system for system in systems if system in corpus.systems]
    if existing and not replace:
        raise UsageError(
            f"The corpus has summaries of {', '.join(existing)} already; replace them (--replace, "
            "replace=True) or ask for other systems."
        )
    marked = {span.system for span in corpus.spans if span.start is not None}
    for system in existing:
        if system in marked:
            raise UsageError(
                f"People marked errors in the summaries of {system!r} (spans.csv), and the marks "
                "would not fit other summaries; ask for other systems, or take the marks out first."
            )
