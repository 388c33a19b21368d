from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.corpus import Corpus, load, save
from gistmark.corpus.formats.datasets.pyrxsum import FORMAT
from gistmark.errors import CorpusError
from gistmark.records import ContentUnit, Document, Presence, Summary

FILES = {
    "ids.txt": "x1\nx2",
    "documents.txt": "One text.\nTwo texts.",
    "references.txt": "One.\nTwo.",
    "SCUs.txt": "A fact.\tAnother.\nA third.",
    "summaries/bart.summary": "I.\nII.",
    "labels/bart.label": "1\t0\n1",
}


def read(folder: Path, **changes: str) -> Corpus:
    for name, text in (FILES | changes).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return FORMAT.read(folder)


def problems(folder: Path, **changes: str) -> list[str]:
    with pytest.raises(CorpusError) as caught:
        read(folder, **changes)
    return [str(problem).replace(f"{folder}/", "") for problem in caught.value.problems]


def test_units_and_labels_are_read_beside_the_texts(tmp_path: Path) -> None:
    corpus = read(tmp_path / "in")
    assert corpus == Corpus(
        documents=(Document("x1", ("One text.",)), Document("x2", ("Two texts.",))),
        summaries=(
            Summary("x1", "reference", "One.", reference=True),
            Summary("x1", "bart", "I."),
            Summary("x2", "reference", "Two.", reference=True),
            Summary("x2", "bart", "II."),
        ),
        units=(
            ContentUnit("x1", "1", "A fact.", reference="reference"),
            ContentUnit("x1", "2", "Another.", reference="reference"),
            ContentUnit("x2", "1", "A third.", reference="reference"),
        ),
        presence=(
            Presence("x1", "1", "bart", "aggregate", True),
            Presence("x1", "2", "bart", "aggregate", False),
            Presence("x2", "1", "bart", "aggregate", True),
        ),
    )
    assert "one value per unit and summary" in str(corpus.notes[0])
    save(corpus, tmp_path / "out")
    assert load(tmp_path / "out") == corpus


def test_labels_must_fit_the_units(tmp_path: Path) -> None:
    assert problems(tmp_path, **{"labels/bart.label": "1\n2"}) == [
        "labels/bart.label:1: The line has 1 labels, but the document has 2 units.",
        "labels/bart.label:2: Label 1 must be 1 or 0, but is '2'.",
    ]


def test_files_must_have_equally_many_lines(tmp_path: Path) -> None:
    assert problems(tmp_path, **{"summaries/bart.summary": "I.\nII.\nIII."}) == [
        "summaries/bart.summary: The file has 3 lines, but ids.txt has 2."
    ]


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CorpusError) as caught:
        FORMAT.read(tmp_path)
    assert len(caught.value.problems) == 3
    with pytest.raises(CorpusError, match="There is no such folder"):
        FORMAT.read(tmp_path / "nowhere")
