"""The formats that Gistmark reads and writes, by name: one module each, and one line in `FORMATS`.

A plugin adds one through an entry point of the group `gistmark.readers` that names an object with
the attributes of `Reader`, and of `Writer` if it can write too, or a class of such objects that
needs no arguments. Its `read` may take options of `ReadOptions` as keywords; `read` here passes on
those that the user set.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Protocol, TypedDict, runtime_checkable

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.formats.columns import Given, check_roles
from gistmark.corpus.schemas.checks import OnDuplicate, check_on_duplicate
from gistmark.errors import UsageError
from gistmark.registry import Registry

__all__ = ["FORMATS", "ReadOptions", "Reader", "Writer", "read"]


class ReadOptions(TypedDict, total=False):
    """How to read a file: the keywords of `gistmark.load`; a missing one has its default."""

    columns: Given
    system_name: str
    on_duplicate: OnDuplicate


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


def _find_fault(candidate: object) -> str | None:
    """Say what a plugin's format lacks; None if it is complete."""
    lacking = [name for name in ("name", "description") if not hasattr(candidate, name)]
    if not callable(getattr(candidate, "read", None)):
        lacking.append("read")
    if not lacking:
        return None
    needs = "needs a name, a description and a method read(source)"
    return f"{needs}, but has no {' and no '.join(lacking)}"


_HERE = "gistmark.corpus.formats"
_DATASETS = f"{_HERE}.datasets"
FORMATS: Registry[Reader] = Registry(
    "format",
    "gistmark.readers",
    {
        "folder": "gistmark.corpus.folder:FORMAT",
        "jsonl": f"{_HERE}.single_file:FORMAT",
        "csv": f"{_HERE}.summary_table:CSV",
        "parquet": f"{_HERE}.summary_table:PARQUET",
        "pairs": f"{_HERE}.pairs:FORMAT",
        "highres": f"{_DATASETS}.highres:FORMAT",
        "dip-sumeval": f"{_DATASETS}.dip_sumeval:FORMAT",
        "emfos": f"{_DATASETS}.emfos:FORMAT",
        "blanc": f"{_DATASETS}.blanc:FORMAT",
        "summeval": f"{_DATASETS}.summeval:FORMAT",
        "sacrerouge": f"{_HERE}.sacrerouge:FORMAT",
        "summvis": f"{_HERE}.summvis:FORMAT",
        "realsumm": f"{_DATASETS}.realsumm:FORMAT",
        "rose": f"{_DATASETS}.rose:FORMAT",
        "pyrxsum": f"{_DATASETS}.pyrxsum:FORMAT",
    },
    check=_find_fault,
)


def read(reader: Reader, source: Path, options: ReadOptions) -> Corpus:
    """Read a source with these options; one that the format does not take is a `UsageError`."""
    check_roles(options.get("columns", {}))
    check_on_duplicate(options.get("on_duplicate", "refuse"))
    for option in options:
        if option not in _options_of(reader):
            formats = ", ".join(
                name for name in FORMATS if option in _options_of(FORMATS.get(name))
            )
            flag = option.replace("_", "-")
            raise UsageError(
                f"The format {reader.name!r} does not take --{flag}; these do: {formats}."
            )
    reading: Callable[..., Corpus] = reader.read
    return reading(source, **options)


def _options_of(reader: Reader) -> frozenset[str]:
    """The options that a format's `read` takes."""
    return frozenset(signature(reader.read).parameters)
