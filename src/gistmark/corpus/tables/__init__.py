"""A table: what JSONL, CSV, Parquet and foreign files have in common before it is checked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from gistmark.corpus.findings import NOWHERE, Place

__all__ = ["Table"]


@dataclass(frozen=True)
class Table:
    """Columns of raw values, and the place that each row comes from.

    A value that is not there is None. `textual` says that the values are cells of a CSV file,
    which are text whatever they mean, and where an empty cell of an optional column is no value.
    `header` is the place that names the columns, if one does; `partial` says that some rows
    could not be read.
    """

    columns: Mapping[str, Sequence[object]]
    places: Sequence[Place] = field(default=())
    textual: bool = False
    header: Place | None = None
    partial: bool = False

    def __post_init__(self) -> None:
        if not self.places:
            rows = max(map(len, self.columns.values()), default=0)
            object.__setattr__(self, "places", [NOWHERE] * rows)

    def rows(self) -> Iterator[tuple[Place, dict[str, object]]]:
        """The rows, each with its place and the values that are there."""
        for place, values in zip(
            self.places, zip(*self.columns.values(), strict=True), strict=True
        ):
            pairs = zip(self.columns, values, strict=True)
            yield place, {name: value for name, value in pairs if value is not None}

    @classmethod
    def of_rows(
        cls,
        rows: Sequence[Mapping[str, object]],
        places: Sequence[Place] = (),
        *,
        partial: bool = False,
    ) -> Table:
        """A table of objects, which need not all have the same fields."""
        names = dict.fromkeys(chain.from_iterable(rows))
        columns = {name: [row.get(name) for row in rows] for name in names}
        return cls(columns, places or [NOWHERE] * len(rows), partial=partial)
