"""`load`: a corpus from whatever file or folder the user has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.folder import load_folder
from gistmark.corpus.formats.columns import Given, check_roles
from gistmark.corpus.formats.single_file import load_single_file
from gistmark.corpus.formats.summary_table import load_summary_table
from gistmark.corpus.lines import open_lines
from gistmark.corpus.schemas.checks import OnDuplicate, check_on_duplicate
from gistmark.errors import CorpusError, Problem, UsageError

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
    becomes of ratings that an annotator gave twice: see `gistmark.corpus.schemas.checks`.
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
    read = _BY_SUFFIX.get(path.suffix.lower())
    if read is None:
        raise CorpusError([_unknown(path)])
    return read(path, columns=columns, system_name=system_name)


def refuse_columns(path: str | Path, columns: Given | None, system_name: str | None) -> None:
    """Raise a `UsageError` if the columns or the system of a file without columns are given."""
    if columns or system_name is not None:
        given = "columns= (--columns)" if columns else "system_name= (--system-name)"
        kind = "a folder, whose files have fixed names" if Path(path).is_dir() else "a text file"
        raise UsageError(
            f"{given} is for a single CSV, TSV, JSONL or Parquet file, but {path} is {kind}."
        )


def _unknown(path: Path) -> Problem:
    return Problem(
        f"A corpus is a folder or a file that ends in {', '.join(_BY_SUFFIX)}; a text file of "
        f"summaries needs its references too. For other formats there is 'gistmark import'.",
        str(path),
    )


def sample_folder() -> Path:
    """The folder of the small corpus that comes with Gistmark."""
    return Path(__file__).parent / "sample"
