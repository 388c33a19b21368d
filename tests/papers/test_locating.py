"""Finding a paper and its released data."""

from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.analysis.data.measures import LENGTHS, length_measures
from gistmark.corpus import Corpus, load, sample_folder
from gistmark.errors import GistmarkError, UsageError
from gistmark.papers import Paper, Release, locate, paper_named, paper_names
from gistmark.papers.emfos import MODELS, SAME_NUMBERS

HOMES = {
    "highres": "github.com/blodstone/HighRES, folder dataset/BBC",
    "blanc": "github.com/PrimerAI/blanc, folder data",
    "dip-sumeval": "github.com/keelm/DIP-SumEval",
    "emfos": "github.com/TarangRanpara/EMFoS, folder Dataset",
}


def fill(folder: Path, paper: Paper) -> Path:
    for name in paper.files:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    return folder


@pytest.mark.parametrize("name", paper_names())
def test_missing_data_are_one_sentence_with_the_files_and_the_public_copy(
    name: str, tmp_path: Path
) -> None:
    paper = paper_named(name)
    with pytest.raises(GistmarkError) as caught:
        locate(paper, tmp_path)
    message = str(caught.value)
    assert message.startswith(f"The released data of {name} are not in {tmp_path}; expected: ")
    assert message.endswith(f"; the public copy is at {HOMES[name]}.")
    assert all(file in message for file in paper.files)


@pytest.mark.parametrize("name", paper_names())
def test_the_data_are_found_in_every_place_they_may_be(name: str, tmp_path: Path) -> None:
    paper = paper_named(name)
    for position in ("", name, paper.inside):
        data = tmp_path / f"data-{position.replace('/', '-')}"
        assert locate(paper, fill(data / position, paper) and data) == data / position


def test_incomplete_data_name_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "dip-sumeval").mkdir()
    (tmp_path / "dip-sumeval" / "PairAnno.csv").touch()
    with pytest.raises(GistmarkError, match=r"dip-sumeval lack LikertAnno\.csv; expected"):
        locate(paper_named("dip-sumeval"), tmp_path)


def test_an_unknown_paper_is_told_the_known_ones() -> None:
    with pytest.raises(UsageError, match=r"Did you mean 'emfos'.*highres, blanc"):
        paper_named("emfoz")


@pytest.mark.parametrize("name", paper_names())
def test_data_of_the_right_form_and_other_content_are_refused(name: str) -> None:
    for other in (Corpus(), load(sample_folder())):
        with pytest.raises(GistmarkError, match=f"These are not the released data of {name}: "):
            paper_named(name).cells(Release(other))


def test_a_corpus_without_summaries_has_no_lengths() -> None:
    assert length_measures(Corpus()).values.shape == (len(LENGTHS), 0)


def test_the_tables_of_models_have_all_thirty_seven_metrics() -> None:
    pearson = {row for table in list(MODELS)[:5] for row in MODELS[table]}
    assert len(pearson) == 37
    assert {table: len(rows) for table, rows in MODELS.items()} == {
        "Table 7.2": 5, "Table 7.3": 2, "Table 7.4": 21, "Table 7.5": 5, "Table 7.6": 4,
        "Table 7.8": 5, "Table 7.9": 2,
    }  # fmt: skip
    assert set(SAME_NUMBERS.values()) <= set(MODELS)
