"""The options that several commands share: how a corpus is read, and the language of its texts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gistmark.cli.terminal.options import parse_columns
from gistmark.corpus import load
from gistmark.errors import UsageError
from gistmark.records import Document

Run = Callable[..., Any]

TEXTS = {"a": "The cat sat on the mat. It purred.", "b": "Rain fell all day. Roads closed."}


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """Two systems' summaries of two documents under names that Gistmark does not know."""
    path = tmp_path / "rows.jsonl"
    lines = [
        {"key": key, "src": text, "output": text[:length], "by": by, "ideal": text[:10]}
        for key, text in TEXTS.items()
        for by, length in (("short", 12), ("long", 20))
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


COLUMNS = "document=key,text=src,summary=output,system=by,reference=ideal"


@pytest.fixture
def twice(sample: Path, tmp_path: Path) -> Path:
    """The sample with its first rating given twice."""
    folder = Path(shutil.copytree(sample, tmp_path / "twice"))
    ratings = folder / "ratings.csv"
    head, first, *others = ratings.read_text().splitlines(keepends=True)
    ratings.write_text("".join([head, first, first, *others]))
    return folder


def test_columns_are_mapped_in_every_command(run: Run, rows: Path, tmp_path: Path):
    scored = run("score", rows, "--columns", COLUMNS, "-m", "rouge1", "--json")
    assert {each["system"] for each in json.loads(scored.out)["leaderboard"]} == {"short", "long"}
    assert run("score", rows, "-m", "rouge1").status == 1
    assert run("study", rows, "--columns", COLUMNS, "-m", "rouge1", "--resamples", 5).status == 0
    exported = run("export", rows, "csv", tmp_path / "t.csv", "--columns", COLUMNS)
    imported = run("import", "jsonl", rows, tmp_path / "c", "--columns", COLUMNS)
    written = run("summarize", rows, "--columns", COLUMNS, "-s", "LeadFirst", "-o", tmp_path / "s")
    assert (exported.status, imported.status, written.status) == (0, 0, 0)
    for path in (tmp_path / "t.csv", tmp_path / "c", tmp_path / "s"):
        assert load(path).documents == tuple(Document(id, (text,)) for id, text in TEXTS.items())
    assert load(tmp_path / "s").systems == ("short", "long", "LeadFirst")


@pytest.mark.django_db
def test_a_campaign_is_made_on_mapped_columns(run: Run, rows: Path):
    from gistmark.web.accounts.people import create_user
    from gistmark.web.campaigns.models import Summary

    create_user("root", role="admin")
    run("campaign", "new", "News", rows, "-p", "fluency", "--columns", COLUMNS)
    assert Summary.objects.filter(document__campaign__name="News", system="short").count() == 2


def test_a_system_is_named_where_no_column_does(run: Run, rows: Path):
    columns = "text=src,summary=output,reference=ideal"
    lines = [line for line in rows.read_text().splitlines(keepends=True) if '"short"' in line]
    rows.write_text("".join(lines))
    unnamed = run("score", rows, "--columns", columns, "-m", "rouge1")
    assert (unnamed.status, "--system-name" in unnamed.err) == (1, True)
    named = run("score", rows, "--columns", columns, "--system-name", "mine", "-m", "rouge1")
    assert (named.status, named.out.splitlines()[1].split()[0]) == (0, "mine")


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("document", "--columns: write ROLE=NAME,ROLE=NAME,..., not 'document'."),
        ("document=", "--columns: write ROLE=NAME,ROLE=NAME,..., not 'document='."),
        ("=key", "--columns: write ROLE=NAME,ROLE=NAME,..., not '=key'."),
        ("doc=key", "There is no role 'doc' for a column; roles: document, system, summary, "),
        ("document=id", "There is no column 'id'. The columns are: key, src, output, by, ideal."),
        ("document=key,document=src", "Only 'reference' may have several columns"),
    ],
)
@pytest.mark.parametrize("command", [("score",), ("study",), ("import", "jsonl")])
def test_wrong_columns_are_status_2_with_what_is_allowed(
    run: Run, rows: Path, tmp_path: Path, command: tuple[str, ...], columns: str, message: str
):
    target = [tmp_path / "c"] if command[0] == "import" else []
    done = run(*command, rows, *target, "--columns", columns)
    assert (done.status, done.out) == (2, "")
    assert message in done.err


def test_columns_are_not_for_line_aligned_text(run: Run, tmp_path: Path):
    path = tmp_path / "s.txt"
    path.write_text("s\n")
    done = run("score", path, path, "--columns", "text=src")
    assert done.status == 2
    assert f"JSONL or Parquet file, but {path} is a text file." in done.err


def test_columns_may_be_given_in_several_pieces_and_a_reference_several_times():
    given = ["document=a, text=b", "reference=c", "reference=d,reference=e=f"]
    assert parse_columns(given) == {"document": "a", "text": "b", "reference": ["c", "d", "e=f"]}
    with pytest.raises(UsageError, match="not 'x'"):
        parse_columns(["document=a,x"])


@pytest.mark.parametrize("how", ["first", "last"])
def test_double_ratings_are_settled_as_one_says(run: Run, twice: Path, how: str):
    done = run("score", twice, "-m", "rouge1", "--on-duplicate", how)
    assert done.status == 0, done.err
    assert "more than once" in done.err


def test_double_ratings_are_refused_or_settled_in_every_command(
    run: Run, twice: Path, tmp_path: Path
):
    commands: list[tuple[object, ...]] = [
        ("score", twice, "-m", "rouge1"),
        ("study", twice, "-m", "rouge1", "--resamples", 5),
        ("summarize", twice, "-s", "LeadFirst", "--max-sentences", 1),
        ("export", twice, "blanc", tmp_path / "b.json"),
        ("import", "folder", twice, tmp_path / "c"),
    ]
    for command in commands:
        refused = run(*command)
        assert refused.status == 1
        assert "--on-duplicate) first, last or mean" in refused.err
        done = run(*command, "--on-duplicate", "mean")
        assert done.status == 0, done.err
        assert "more than once" in done.out + done.err


def test_summarising_leaves_double_ratings_as_they_are(run: Run, twice: Path):
    before = (twice / "ratings.csv").read_text()
    run("summarize", twice, "-s", "Random", "--on-duplicate", "mean")
    assert (twice / "ratings.csv").read_text() == before


def test_the_released_form_of_blanc_with_double_ratings_is_imported_and_studied(
    run: Run, tmp_path: Path
):
    """Like DailyNews_300_aspects.json, where one annotator rated some summaries twice."""
    aspects = {
        "Fluent": {"annotators_ids": [21, 15, 4, 15], "scores": [2, 2, 3, 4]},
        "Overall": {"annotators_ids": [15, 4, 15], "scores": [0, 1, 1]},
    }
    records = [
        {"text": text, "summary": text[:length], "map_quality_scores": aspects}
        for text in TEXTS.values()
        for length in (8, 12, 20)
    ]
    source = tmp_path / "aspects.json"
    source.write_text(json.dumps(records))
    target = tmp_path / "corpus"
    refused = run("import", "blanc", source, target)
    assert (refused.status, target.exists()) == (1, False)
    done = run("import", "blanc", source, target, "--on-duplicate", "mean")
    assert done.status == 0
    assert "Note: 24 ratings became 12 means, because an annotator had rated" in done.out
    assert [rating.value for rating in load(target).ratings[:5]] == [2.0, 3.0, 3.0, 0.5, 1.0]
    assert run("study", target, "-m", "words", "--resamples", 5).status == 0


Run = Callable[..., Any]


@pytest.fixture
def chinese(tmp_path: Path) -> Path:
    entry = {
        "id": "d", "text": "政府宣布了新的经济政策。人们很高兴。",
        "references": ["新的经济政策由政府宣布。"], "summaries": {"s": "政府宣布了新的经济政策。"},
    }  # fmt: skip
    path = tmp_path / "zh.jsonl"
    path.write_text(json.dumps(entry, ensure_ascii=False) + "\n", encoding="utf-8")
    return path


def test_without_a_language_rouge_says_what_it_ignores_and_what_helps(run: Run, chinese: Path):
    done = run("score", chinese, "-m", "rouge1", "-m", "words")
    assert done.status == 0
    assert done.err.count("warning: ") == 1
    assert (
        "warning: rouge1: 100 % of the letters of the summaries are outside a-z and are ignored by "
        "tok=rouge_score; --lang CODE or tok=words counts them."
    ) in done.err
    assert "its letters are outside a-z; tok=words counts them" in done.err


def test_with_its_language_a_corpus_is_scored(run: Run, chinese: Path):
    done = run("score", chinese, "-m", "rouge1", "--lang", "zh", "--json")
    assert done.status == 0
    assert done.err == ""
    result = json.loads(done.out)
    assert "|lang:zh|" in result["signatures"]["rouge1"]
    assert result["leaderboard"][0]["mean"] == pytest.approx(10 / 11)


def test_a_study_takes_the_language_too(run: Run, chinese: Path, tmp_path: Path):
    done = run("study", chinese, "-m", "rouge1", "--lang", "zh", "--json", "--resamples", "5")
    assert done.status == 0
    (signature,) = json.loads(done.out)["signatures"]
    assert "|lang:zh|" in signature["signature"]
    scores = tmp_path / "scores.csv"
    assert run("score", chinese, "-m", "rouge1", "--lang", "zh", "-o", scores).status == 0
    both = run("study", chinese, "--scores", scores, "--lang", "zh")
    assert both.status == 2
    assert "Give either --scores or --lang, not both." in both.err


def test_summaries_are_made_of_the_sentences_of_the_language(
    run: Run, chinese: Path, tmp_path: Path
):
    target = tmp_path / "out"
    done = run(
        "summarize", chinese, "-s", "LeadFirst", "--max-sentences", "1", "--lang", "zh",
        "-o", target, "--json",
    )  # fmt: skip
    assert done.status == 0
    (system,) = json.loads(done.out)["systems"]
    assert system["signature"].endswith("|lang:zh")
    assert "政府宣布了新的经济政策。" in (target / "summaries.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["score", "study", "summarize"])
def test_what_is_no_language_is_refused(run: Run, chinese: Path, command: str):
    done = run(command, chinese, "--lang", "Deutsch")
    assert done.status == 2
    assert "lang: 'Deutsch' is not the code of a language; write one such as de" in done.err


def test_a_metric_describes_its_language(run: Run):
    done = run("metrics", "rouge1")
    assert "    lang=en: the language, such as de or zh, by which sentences, words, " in done.out
    assert "chars" in done.out
