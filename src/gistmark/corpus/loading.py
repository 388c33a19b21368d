"""`load`: a corpus from whatever file or folder the user has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from gistmark.corpus.corpus import Corpus
from gistmark.corpus.folder import load_folder
from gistmark.corpus.lines import open_lines
from gistmark.corpus.single_file import load_single_file
from gistmark.corpus.summary_table import load_summary_table
from gistmark.errors import CorpusError, Problem, UsageError

_BY_SUFFIX: Mapping[str, Callable[[Path], Corpus]] = {
    ".jsonl": load_single_file,
    ".csv": load_summary_table,
    ".tsv": load_summary_table,
    ".parquet": load_summary_table,
}


def load(path: str | Path, references: str | Path | Sequence[str | Path] | None = None) -> Corpus:
    """Read a corpus and check it; everything that is wrong is raised as one `CorpusError`.

    `path` is a corpus folder; a JSONL file with one object per document; a CSV, TSV or Parquet
    file with one row per summary; or, with `references`, a text file with one summary per line
    (`references` is then one line-aligned file, or several).
    """
    path = Path(path)
    if not path.exists():
        raise CorpusError([Problem("There is no such file or folder.", str(path))])
    if references is not None:
        if path.is_dir():
            raise UsageError(f"References go with a text file, but {path} is a folder.")
        return open_lines(path, references).load()
    if path.is_dir():
        return load_folder(path)
    read = _BY_SUFFIX.get(path.suffix.lower())
    if read is None:
        known = ", ".join(_BY_SUFFIX)
        raise CorpusError(
            [
                Problem(
                    f"A corpus is a folder or a file that ends in {known}; a text file of "
                    f"summaries needs its references too. For other formats there is "
                    f"'gistmark import'.",
                    str(path),
                )
            ]
        )
    return read(path)


def sample_folder() -> Path:
    """The folder of the small corpus that comes with Gistmark."""
    return Path(__file__).parent / "sample"
