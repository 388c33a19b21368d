from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gistmark.corpus import Corpus, load, save
from gistmark.corpus.formats.datasets.realsumm import FORMAT
from gistmark.errors import CorpusError
from gistmark.records import Rating, Summary


def read(tmp_path: Path, content: Any) -> Corpus:
    path = tmp_path / "abs.pkl"
    path.write_bytes(pickle.dumps(content, 3))
    return FORMAT.read(path)


def entry(id: int, **systems: tuple[str, float | None]) -> dict[str, Any]:
    """A document as `scores_dicts` has it; the automatic scores are NumPy's numbers."""
    summaries = {}
    for name, (text, recall) in systems.items():
        scores: dict[str, Any] = {"js-2": -0.5, "bert_f_score": np.float32(0.25)}
        if recall is not None:
            scores["litepyramid_recall"] = recall
        summaries[f"{name}.txt"] = {"system_summary": text, "scores": scores}
    return {"doc_id": id, "ref_summ": f"<t> ref {id} . </t>", "system_summaries": summaries}


CONTENT = {
    0: entry(0, bart_out=("<t> a b . </t> <t> c d . </t>", 0.5), t5_out=("plain <b> text", 1.0)),
    7: entry(7, bart_out=(" <t> e f . </t> ", np.float64(0.25))),
}


def test_summaries_references_and_human_scores_are_read(tmp_path: Path) -> None:
    corpus = read(tmp_path, CONTENT)
    assert corpus == Corpus(
        summaries=(
            Summary("0", "reference", "ref 0 .", reference=True),
            Summary("0", "bart_out", "a b .\nc d ."),
            Summary("0", "t5_out", "plain <b> text"),
            Summary("7", "reference", "ref 7 .", reference=True),
            Summary("7", "bart_out", "e f ."),
        ),
        ratings=(
            Rating("0", "bart_out", "aggregate", "litepyramid_recall", 0.5),
            Rating("0", "t5_out", "aggregate", "litepyramid_recall", 1.0),
            Rating("7", "bart_out", "aggregate", "litepyramid_recall", 0.25),
        ),
    )
    save(corpus, tmp_path / "c")
    assert load(tmp_path / "c") == corpus


def test_notes_say_what_was_changed_and_what_was_left_out(tmp_path: Path) -> None:
    assert [note.message for note in read(tmp_path, CONTENT).notes] == [
        "In 4 texts the tags <t> and </t> became line breaks.",
        "litepyramid_recall is one value per summary, so its annotator is called 'aggregate'; "
        "the file does not say how far people agreed.",
        "6 values of other scores were left out: bert_f_score, js-2.",
    ]


def test_summaries_without_a_human_score_are_counted(tmp_path: Path) -> None:
    corpus = read(tmp_path, {0: entry(0, a=("s", None), b=("t", None))})
    assert corpus.ratings == ()
    assert [note.message for note in corpus.notes][1:] == [
        "2 summaries have no litepyramid_recall.",
        "4 values of other scores were left out: bert_f_score, js-2.",
    ]


def test_several_references_are_numbered(tmp_path: Path) -> None:
    content = {0: entry(0, a=("s", 1.0)) | {"ref_summ": ["<t> q </t>", "r"]}}
    assert [r.text for r in read(tmp_path, content).references["0"]] == ["q", "r"]


def test_a_hostile_pickle_is_one_problem_and_does_not_run(tmp_path: Path) -> None:
    class Hostile:
        def __reduce__(self) -> Any:
            return os.system, (f"touch {tmp_path / 'ran'}",)

    with pytest.raises(CorpusError) as caught:
        read(tmp_path, {0: entry(0, a=("s", 1.0)), 1: Hostile()})
    (problem,) = caught.value.problems
    assert str(problem) == (
        f"{tmp_path / 'abs.pkl'}: The pickle was refused, because it refers to posix.system; "
        "only texts, numbers and plain containers of them are read, and nothing in the file was "
        "run."
    )
    assert not (tmp_path / "ran").exists()


def test_everything_wrong_is_found_at_once(tmp_path: Path) -> None:
    good = entry(0, a=("s", 1.0))
    content = {
        0: good,
        1: "x",
        2: {"doc_id": 2, "ref_summ": "r"},
        3: entry(3) | {"system_summaries": {"a.txt": "s"}},
        4: entry(4) | {"system_summaries": {"a.txt": {"system_summary": 3, "scores": {}}}},
        5: entry(5, a=("s", 1.0), b=("t", "high")),  # type: ignore[arg-type]
        6: good,
    }
    with pytest.raises(CorpusError) as caught:
        read(tmp_path, content)
    file = f"{tmp_path / 'abs.pkl'} "
    assert [str(problem).replace(file, "") for problem in caught.value.problems] == [
        "(document 1): A document must be a dict, but is the text 'x'.",
        "(document 2): 'system_summaries' must be a dict, but is missing.",
        "(document 3): The summary of 'a' must be a dict, but is the text 's'.",
        "(document 4): The field 'text' must be text, but is the number 3.",
        "(document 5): The field 'value' must be a number, but is the text 'high'.",
        "(document 6): There is already a summary with document '0', system 'a'.",
        "(document 6): There is already a rating with document '0', system 'a', annotator "
        "'aggregate', dimension 'litepyramid_recall'. To read such data, say which rating "
        "counts: on_duplicate= (on the command line --on-duplicate) first, last or mean.",
    ]


@pytest.mark.parametrize("content", [[], {}, "x", None])
def test_a_pickle_of_something_else_is_a_problem(tmp_path: Path, content: object) -> None:
    with pytest.raises(CorpusError, match="The pickle must hold a dict of documents by id"):
        read(tmp_path, content)
