"""Pages of content units: every span is right, everything is escaped, nothing needs a script."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.records import ContentUnit, Document, Summary
from gistmark.report.pages.units import write_unit_pages
from gistmark.scoring.units import UnitPresence, find_units
from html_reader import Reader

EVIL = '<script>alert("x")</script>'
SPEC = "pyramid:presence=words"
CORPUS = Corpus(
    documents=(Document("d", ("Text.",), title=EVIL), Document("e", ("Text.",))),
    summaries=(
        Summary("d", "good", "It rained. The bridge closed & ferries run."),
        Summary("d", "none", ""),
        Summary("e", EVIL, "Boats."),
    ),
    units=(
        ContentUnit("d", "1", "The bridge closed.", 2.0),
        ContentUnit("d", "2", f"Ferries {EVIL}"),
    ),
)


@pytest.fixture(scope="module")
def presence() -> UnitPresence:
    return find_units(CORPUS, SPEC)


@pytest.fixture(scope="module")
def folder(presence: UnitPresence, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("units")
    assert write_unit_pages(presence, CORPUS, made) == made / "index.html"
    return made


def test_the_file_has_every_unit_of_every_summary(folder: Path) -> None:
    content = json.loads((folder / "units.json").read_text(encoding="utf-8"))
    assert content["metric"] == SPEC
    assert content["signatures"]["en"].startswith("pyramid|")
    good, none, other = content["summaries"]
    assert [unit["present"] for unit in good["units"]] == [True, False]
    start, end = good["units"][0]["start"], good["units"][0]["end"]
    assert CORPUS.summaries[0].text[start:end] == "The bridge closed & ferries run."
    assert none["value"] == 0.0
    assert other["value"] is None
    assert "neither a reference nor content units" in other["reason"]


def test_the_pages_say_what_is_stated_and_where(folder: Path) -> None:
    page = (folder / "documents" / "1.html").read_text(encoding="utf-8")
    assert '<mark class="heat-1">The bridge closed &amp; ferries run.</mark>' in page
    assert "1 of 2 units stated" in page
    assert "0 of 2 units stated" in page
    assert "The summary is empty." in page
    assert "<details><summary>1 not stated</summary>" in page
    assert "Gistmark: where summaries state content units" in page
    assert "weight 2" in page
    assert "no value" in (folder / "documents" / "2.html").read_text(encoding="utf-8")


def test_everything_is_escaped_and_every_link_leads_somewhere(folder: Path) -> None:
    for file in (folder / "index.html", *folder.glob("documents/*.html")):
        read = Reader(file.read_text(encoding="utf-8"))
        assert "script" not in read.tags
        for link in read.links:
            if not link.startswith(("#", "http")):
                assert (file.parent / link).is_file()


def test_pages_of_an_earlier_run_are_replaced_and_others_left(
    presence: UnitPresence, tmp_path: Path
) -> None:
    write_unit_pages(presence, CORPUS, tmp_path / "pages")
    (tmp_path / "pages" / "documents" / "9.html").touch()
    write_unit_pages(presence, CORPUS, tmp_path / "pages")
    assert not (tmp_path / "pages" / "documents" / "9.html").exists()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.tex").touch()
    with pytest.raises(UsageError, match="holds no pages of units"):
        write_unit_pages(presence, CORPUS, tmp_path / "other")


def test_only_pyramid_looks_for_units() -> None:
    with pytest.raises(UsageError, match="rouge1 looks for no content units"):
        find_units(CORPUS, "rouge1")
