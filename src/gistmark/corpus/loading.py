"""A corpus from whatever the user has: a file or folder, a data frame, a Hugging Face data set.

The columns of a frame are those of the summary table and their aliases; see
`gistmark.corpus.formats.columns`. pandas, polars and datasets are used only when one of their
objects is passed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.files.tables import Table, from_arrow
from gistmark.corpus.folder import load_folder
from gistmark.corpus.formats.columns import Given, check_roles, find_columns
from gistmark.corpus.formats.single_file import load_single_file
from gistmark.corpus.formats.summary_table import load_summary_table, read_summaries
from gistmark.corpus.lines import open_lines
from gistmark.corpus.schemas.checks import OnDuplicate, check_on_duplicate
from gistmark.errors import CorpusError, Diagnostics, MissingExtraError, Problem, UsageError

_BY_SUFFIX: Mapping[str, Callable[..., Corpus]] = {
    ".jsonl": load_single_file,
    ".csv": load_summary_table,
    ".tsv": load_summary_table,
    ".parquet": load_summary_table,
}


def load(
    path: str | Path,
    references: str | Path | Sequence[str | Path] | None = None,
    *,
    columns: Given | None = None,
    system_name: str | None = None,
    on_duplicate: OnDuplicate = "refuse",
) -> Corpus:
    """Read a corpus and check it; everything that is wrong is raised as one `CorpusError`.

    `path` is a corpus folder; a JSONL file with one object per document or per summary; a CSV, TSV
    or Parquet file with one row per summary; or, with `references`, a text file with one summary
    per line (`references` is then one line-aligned file, or several).

    `columns` says which column of a single file plays a role that its name does not show, such as
    `{"document": "src", "summary": "output"}`; a folder has fixed names. `system_name` is the
    system of all summaries of a single file where no column names it. `on_duplicate` says what
    happens to ratings that an annotator gave twice: see `gistmark.corpus.schemas.checks`.
    """
    path = Path(path)
    check_roles(columns or {})
    check_on_duplicate(on_duplicate)
    if not path.exists():
        raise CorpusError([Problem("There is no such file or folder.", str(path))])
    if references is not None and path.is_dir():
        raise UsageError(f"References go with a text file, but {path} is a folder.")
    if references is not None or path.is_dir():
        refuse_columns(path, columns, system_name)
    if references is not None:
        return open_lines(path, references).load()
    if path.is_dir():
        return load_folder(path, on_duplicate=on_duplicate)
    reader = _BY_SUFFIX.get(path.suffix.lower())
    if reader is None:
        raise CorpusError([_unknown_file(path)])
    return reader(path, columns=columns, system_name=system_name)


def refuse_columns(path: str | Path, columns: Given | None, system_name: str | None) -> None:
    """Raise a `UsageError` if the columns or the system of a file without columns are given."""
    if columns or system_name is not None:
        option = "columns= (--columns)" if columns else "system_name= (--system-name)"
        kind = "a folder, whose files have fixed names" if Path(path).is_dir() else "a text file"
        raise UsageError(
            f"{option} is for a single CSV, TSV, JSONL or Parquet file, but {path} is {kind}."
        )


def _unknown_file(path: Path) -> Problem:
    return Problem(
        f"A corpus is a folder or a file that ends in {', '.join(_BY_SUFFIX)}; a text file of "
        f"summaries needs its references too. For other formats there is 'gistmark import'.",
        str(path),
    )


def sample_folder() -> Path:
    """The folder of the small corpus that comes with Gistmark."""
    return Path(__file__).parent / "sample"


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
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise UsageError(f"The column {repeated[0]!r} comes twice.")
    cells = dict(zip(map(str, names), values, strict=True))
    locations = [("frame", number) for number in range(1, len(frame) + 1)]
    table = Table(cells, locations, header=("frame", None))
    return _read_summary_table(table, columns, system_name)


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
    return _read_summary_table(from_arrow(data, "data set", Diagnostics()), columns, system_name)


def _read_summary_table(table: Table, columns: Given | None, system_name: str | None) -> Corpus:
    roles = find_columns(list(table.columns), columns, system_name=system_name)
    return read_summaries(table, roles, Diagnostics(), system_name=system_name)


def _choose_split(dataset: Any, split: str | None) -> Any:
    splits = ", ".join(dataset)
    if split is None and len(dataset) != 1:
        raise UsageError(f"The data set has several splits; choose one with split=: {splits}.")
    name = next(iter(dataset)) if split is None else split
    if name not in dataset:
        raise UsageError(f"There is no split {name!r}; there are: {splits}.")
    return dataset[name]


def _pandas_values(column: Any) -> list[Any]:
    """The values of a column as Python objects, None where pandas has none."""
    values = column.astype(object).tolist()
    return [
        None if missing else _python_value(v)
        for v, missing in zip(values, column.isna(), strict=True)
    ]


def _python_value(value: Any) -> Any:
    """A NumPy scalar or array as the Python object that it stands for."""
    return value.tolist() if type(value).__module__ == "numpy" else value
