"""The formats that Gistmark reads and writes, by name.

A plugin adds one through an entry point of the group `gistmark.readers` that names an object
with the attributes of `Reader`, and of `Writer` if it can write too.
"""

from __future__ import annotations

from pathlib import Path
from typing import Protocol, runtime_checkable

from gistmark.corpus.corpus import Corpus
from gistmark.registry import Registry


@runtime_checkable
class Reader(Protocol):
    """A format that can be read. `description` is one sentence for the list of formats."""

    @property
    def name(self) -> str: ...

    @property
    def description(self) -> str: ...

    def read(self, source: Path) -> Corpus:
        """A checked corpus; all problems are raised as one `CorpusError`."""
        ...


@runtime_checkable
class Writer(Reader, Protocol):
    """A format that can be written too."""

    def write(self, corpus: Corpus, target: Path) -> tuple[str, ...]:
        """Write a corpus; return one sentence for each thing that the format could not hold."""
        ...


_READERS = "gistmark.corpus.readers"
FORMATS: Registry[Reader] = Registry(
    "format",
    "gistmark.readers",
    {
        "folder": f"{_READERS}.folder:FORMAT",
        "jsonl": f"{_READERS}.jsonl:FORMAT",
        "csv": f"{_READERS}.table:CSV",
        "parquet": f"{_READERS}.table:PARQUET",
        "pairs": f"{_READERS}.pairs:FORMAT",
        "highres": f"{_READERS}.highres:FORMAT",
        "dip-sumeval": f"{_READERS}.dip_sumeval:FORMAT",
        "emfos": f"{_READERS}.emfos:FORMAT",
        "blanc": f"{_READERS}.blanc:FORMAT",
        "summeval": f"{_READERS}.summeval:FORMAT",
        "sacrerouge": f"{_READERS}.sacrerouge:FORMAT",
        "summvis": f"{_READERS}.summvis:FORMAT",
    },
)
