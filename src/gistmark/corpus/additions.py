"""More summaries for a corpus folder; all that is in it already stays as it was written."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from gistmark.corpus.checks import check
from gistmark.corpus.corpus import Corpus
from gistmark.corpus.files import replacing
from gistmark.corpus.folder import SIGNATURES, load_folder
from gistmark.corpus.tables import jsonl
from gistmark.errors import GistmarkError
from gistmark.records import Summary


def add_summaries(
    folder: Path, summaries: Sequence[Summary], signatures: Mapping[str, str]
) -> None:
    """Add the summaries of some systems in place of those that these have there.

    The folder is read again, because others may have added to it since. Lines that stay are not
    touched, so that fields which Gistmark does not know are kept. The file is replaced whole or
    not at all.
    """
    found = load_folder(folder, on_duplicate="first")  # ratings stay as they are, whatever counts
    systems = {summary.system for summary in summaries}
    stay = [summary.reference or summary.system not in systems for summary in found.summaries]
    kept = [line for line, stays in zip(_lines(folder), stay, strict=True) if stays]
    check(Corpus(found.documents, tuple(summaries)))
    new = jsonl.dump_lines(
        {"document": each.document, "system": each.system, "text": each.text} for each in summaries
    )
    with replacing(folder / "summaries.jsonl") as stream, replacing(folder / SIGNATURES) as beside:
        stream.writelines(f"{line}\n".encode() for line in kept)
        stream.writelines(line.encode() for line in new)
        beside.write(_merged(folder, signatures).encode())


def write_signatures(folder: Path, signatures: Mapping[str, str]) -> None:
    """Put signatures beside the summaries, in addition to those that are there."""
    with replacing(folder / SIGNATURES) as stream:
        stream.write(_merged(folder, signatures).encode())


def _lines(folder: Path) -> list[str]:
    """The lines of the summaries, one for each; blank ones count for nothing."""
    file = folder / "summaries.jsonl"
    text = file.read_bytes().decode("utf-8-sig") if file.is_file() else ""
    return [line for line in text.split("\n") if line.strip(" \t\r")]


def _merged(folder: Path, signatures: Mapping[str, str]) -> str:
    file = folder / SIGNATURES
    try:
        known = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    except ValueError as error:
        raise GistmarkError(f"{file}: the signatures cannot be read: {error}") from None
    if not isinstance(known, dict):
        raise GistmarkError(f"{file}: the signatures are no JSON object.")
    return json.dumps({**known, **signatures}, indent=2, ensure_ascii=False) + "\n"
