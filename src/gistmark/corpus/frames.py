"""Corpora from data frames and Hugging Face data sets.

The columns are those of the summary table and their aliases; see `gistmark.corpus.formats.columns`.
pandas, polars and datasets are looked at only when a frame of theirs comes in.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.files.tables import Table, from_arrow
from gistmark.corpus.formats.columns import Given, find_columns
from gistmark.corpus.formats.summary_table import read_summaries
from gistmark.errors import Diagnostics, MissingExtraError, UsageError


def from_frame(
    frame: Any, *, columns: Given | None = None, system_name: str | None = None
) -> Corpus:
    """A corpus from a pandas or polars frame with one row per summary.

    `columns` says which column plays a role that its name does not show, for example
    `{"text": "body", "reference": ["gold_1", "gold_2"]}`. `system_name` is the system of all
    summaries where no column names it. Missing values (NaN, NA, null) are no values.
    """
    library = type(frame).__module__.partition(".")[0]
    names = list(getattr(frame, "columns", ()))
    if library == "pandas":
        values = [_pandas_values(frame.iloc[:, position]) for position in range(len(names))]
    elif library == "polars" and hasattr(frame, "to_dict"):
        values = [frame.get_column(name).to_list() for name in names]
    else:
        raise UsageError(
            f"from_frame takes a pandas or polars DataFrame, not {type(frame).__qualname__}."
        )
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise UsageError(f"The column {twice[0]!r} comes twice.")
    cells = dict(zip(map(str, names), values, strict=True))
    locations = [("frame", number) for number in range(1, len(frame) + 1)]
    table = Table(cells, locations, header=("frame", None))
    return _read(table, columns, system_name)


def from_datasets(
    dataset: Any,
    *,
    split: str | None = None,
    columns: Given | None = None,
    system_name: str | None = None,
) -> Corpus:
    """A corpus from a Hugging Face `Dataset`, or from one split of a `DatasetDict`.

    `columns` and `system_name` are as in `from_frame`.
    """
    try:
        import datasets
    except ImportError:
        raise MissingExtraError("datasets") from None
    if isinstance(dataset, datasets.DatasetDict):
        dataset = _choose_split(dataset, split)
    elif split is not None:
        raise UsageError("split is for a DatasetDict, but this is a Dataset.")
    if not isinstance(dataset, datasets.Dataset):
        raise UsageError(
            f"from_datasets takes a Dataset or a DatasetDict, not {type(dataset).__qualname__}."
        )
    data = dataset.with_format("arrow")[:]
    return _read(from_arrow(data, "data set", Diagnostics()), columns, system_name)


def _read(table: Table, columns: Given | None, system_name: str | None) -> Corpus:
    roles = find_columns(list(table.columns), columns, system_name=system_name)
    return read_summaries(table, roles, Diagnostics(), system_name=system_name)


def _choose_split(dataset: Any, split: str | None) -> Any:
    splits = ", ".join(dataset)
    if split is None and len(dataset) != 1:
        raise UsageError(f"The data set has several splits; choose one with split=: {splits}.")
    chosen = next(iter(dataset)) if split is None else split
    if chosen not in dataset:
        raise UsageError(f"There is no split {chosen!r}; there are: {splits}.")
    return dataset[chosen]


def _pandas_values(column: Any) -> list[Any]:
    """The values of a column as Python objects, None where pandas has none."""
    values = column.astype(object).tolist()
    return [
        None if missing else _plain(v) for v, missing in zip(values, column.isna(), strict=True)
    ]


def _plain(value: Any) -> Any:
    """A NumPy scalar or array as the Python object that it stands for."""
    return value.tolist() if type(value).__module__ == "numpy" else value
