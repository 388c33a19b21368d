from __future__ import annotations

import json
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from gistmark.cli.main import main
from gistmark.corpus import load, sample_folder, save
from gistmark.corpus.formats import FORMATS, Writer
from gistmark.records import Machine

TABLE = "document,system,summary,text,mood\na,lead,s,T,fine\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "t.csv"
    path.write_text(TABLE)
    return path


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of one command."""
    with pytest.raises(SystemExit) as caught:
        main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    assert isinstance(caught.value.code, int)
    return caught.value.code, out, err


def test_import_writes_a_folder_and_says_what_was_read(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    target = tmp_path / "corpus"
    assert run(capsys, "import", "csv", table, target) == (
        0,
        f"Read {table} into {target}: 1 document, 1 system, 1 summary.\n"
        f"Note: {table}:1: The column 'mood' is unknown and was left out.\n",
        "",
    )
    assert load(target).systems == ("lead",)


def test_import_prints_json_for_programs(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    status, out, _ = run(capsys, "import", "csv", table, tmp_path / "c", "--json")
    report = json.loads(out)
    assert status == 0
    assert report["counts"]["summaries"] == 1
    assert report["notes"] == [f"{table}:1: The column 'mood' is unknown and was left out."]
    assert (report["format"], report["source"]) == ("csv", str(table))


def test_import_replaces_a_corpus_only_by_force(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    run(capsys, "import", "csv", table, tmp_path / "c")
    table.write_text(TABLE.replace("lead", "mmr"))
    status, _, err = run(capsys, "import", "csv", table, tmp_path / "c")
    assert status == 2
    assert "--force replaces it" in err
    assert load(tmp_path / "c").systems == ("lead",)
    assert run(capsys, "import", "csv", table, tmp_path / "c", "--force")[0] == 0
    assert load(tmp_path / "c").systems == ("mmr",)


def test_import_never_buries_another_folder(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    status, _, err = run(capsys, "import", "csv", table, tmp_path, "--force")
    assert status == 2
    assert "is not a corpus folder" in err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.csv"]


def test_bad_data_is_status_1_with_every_problem_and_writes_nothing(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    table.write_text(TABLE + "a,lead,s,T,x\n,mmr,s,T,x\n")
    status, out, err = run(capsys, "import", "csv", table, tmp_path / "c")
    assert (status, out) == (1, "")
    assert err.startswith("gistmark: 2 problems in the data:\n")
    assert f"{table}:3: There is already a summary" in err
    assert f"{table}:4: The column 'document' is empty." in err
    assert "Traceback" not in err
    assert not (tmp_path / "c").exists()


def test_an_unknown_format_is_status_2(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    for arguments in (("import", "cvs", table, tmp_path / "c"), ("export", table, "cvs", "x")):
        status, _, err = run(capsys, *arguments)
        assert status == 2
        assert "Did you mean 'csv'?" in err


@pytest.mark.parametrize("name", FORMATS.names())
def test_a_source_that_is_not_there_is_status_1(
    capsys: pytest.CaptureFixture[str], name: str, tmp_path: Path
) -> None:
    status, _, err = run(capsys, "import", name, tmp_path / "none", tmp_path / "c")
    assert status == 1
    assert "none" in err


def test_export_says_what_the_format_cannot_hold(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    target = tmp_path / "out.jsonl"
    status, out, _ = run(capsys, "export", sample_folder(), "sacrerouge", target)
    assert status == 0
    counts = load(sample_folder()).counts()
    assert f"Wrote {sample_folder()} to {target} as sacrerouge." in out
    assert f"Note: The format cannot hold {counts['ratings']} ratings.\n" in out
    assert len(target.read_text().strip().split("\n")) == counts["summaries"]


def test_export_prints_json_for_programs(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    status, out, _ = run(capsys, "export", table, "folder", tmp_path / "c", "--json")
    assert status == 0
    assert json.loads(out)["target"] == str(tmp_path / "c")


def test_export_writes_over_a_file_only_by_force(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out.jsonl"
    target.write_text("mine")
    status, _, err = run(capsys, "export", table, "jsonl", target)
    assert (status, target.read_text()) == (2, "mine")
    assert "--force writes over it" in err
    assert run(capsys, "export", table, "jsonl", target, "--force")[0] == 0
    assert load(target).systems == ("lead",)


def test_export_into_a_folder_with_files_needs_force(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    assert run(capsys, "export", table, "pairs", tmp_path)[0] == 2
    assert run(capsys, "export", table, "pairs", tmp_path / "new")[0] == 0


def test_export_by_force_says_what_it_left_in_a_folder(
    capsys: pytest.CaptureFixture[str], table: Path, tmp_path: Path
) -> None:
    target = tmp_path / "h"
    run(capsys, "export", table, "highres", target)
    (target / "documents" / "old.data").write_text("{}")
    status, out, _ = run(capsys, "export", table, "highres", target, "--force")
    assert status == 0
    assert f"Note: Not changed: other files in {target} (1).\n" in out


def test_a_plugin_that_is_no_format_is_an_error_and_does_not_break_the_help(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    odd = EntryPoint("odd", "pathlib:Path", "gistmark.readers")
    monkeypatch.setitem(FORMATS._plugins, "odd", odd)
    status, _, err = run(capsys, "import", "odd", "a", "b")
    assert status == 1
    assert err == (
        "gistmark: The format odd of the plugin pathlib (pathlib:Path) needs a name, a description "
        "and a method read(source), but has no description and no read.\n"
    )
    status, out, _ = run(capsys, "import", "--help")
    assert status == 0
    assert "\n  odd " in out


@pytest.mark.parametrize("verb", ["import", "export"])
def test_the_help_lists_every_format_and_gives_an_example(
    capsys: pytest.CaptureFixture[str], verb: str
) -> None:
    status, out, _ = run(capsys, verb, "--help")
    assert status == 0
    for name in FORMATS:
        listed = verb == "import" or isinstance(FORMATS.get(name), Writer)
        assert (f"\n  {name} " in out) == listed
    assert f"Example: gistmark {verb} " in out


def test_what_was_imported_is_exported_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert run(capsys, "export", sample_folder(), "highres", tmp_path / "h")[0] == 0
    assert run(capsys, "import", "highres", tmp_path / "h", tmp_path / "c")[0] == 0
    sample, back = load(sample_folder()), load(tmp_path / "c")
    assert [d.text.split() for d in sorted(back.documents, key=lambda d: d.id)] == [
        d.text.split() for d in sorted(sample.documents, key=lambda d: d.id)
    ]
    assert len(back.highlights) == len(sample.highlights)


def test_an_order_of_appearance_is_not_counted_as_systems(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    source = tmp_path / "b.json"
    source.write_text('{"doc": "T", "summaries": ["s", "t"]}')
    _, out, _ = run(capsys, "import", "blanc", source, tmp_path / "c")
    assert out.startswith(f"Read {source} into {tmp_path / 'c'}: 1 document, 2 summaries.\n")


def test_what_machines_said_is_in_no_format_that_cannot_mark_it(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    corpus = load(sample_folder())
    machine = replace(corpus.ratings[0], annotator="a-model", value=5.0)
    mixed = replace(corpus, ratings=(*corpus.ratings, machine), machines=(Machine("a-model"),))
    save(mixed, tmp_path / "mixed")
    _, out, _ = run(capsys, "export", tmp_path / "mixed", "dip-sumeval", tmp_path / "dip")
    assert "Left out: judgements by machines (a-model)" in out
    run(capsys, "export", sample_folder(), "dip-sumeval", tmp_path / "people")
    files = [path for path in (tmp_path / "people").rglob("*") if path.is_file()]
    assert files
    for path in files:
        same = tmp_path / "dip" / path.relative_to(tmp_path / "people")
        assert same.read_bytes() == path.read_bytes()
    _, out, _ = run(capsys, "export", tmp_path / "mixed", "folder", tmp_path / "copy")
    assert "Left out: what machines" not in out
    assert load(tmp_path / "copy").machine_names == {"a-model"}
