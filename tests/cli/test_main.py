"""The command as a whole: help, exit statuses, and no traceback whatever is thrown at it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

import gistmark
from gistmark.cli.main import VERBS, main
from gistmark.cli.main import gistmark as command

Run = Callable[..., Any]


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_can_be_imported_and_says_what_it_does(verb: str):
    module, _, attribute = VERBS[verb][0].partition(":")
    result = getattr(import_module(module), attribute)
    assert isinstance(result, click.Command)
    assert result.help
    assert result.epilog
    assert "Example" in result.epilog
    assert f"gistmark {verb}" in result.epilog


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_every_verb_has_an_example(verb: str, run: Run):
    done = run(verb, "--help")
    assert done.status == 0
    assert re.search(rf"Examples?:\s+gistmark {verb}\b", done.out)
    assert done.err == ""


def test_examples_in_help_are_commands_that_can_be_parsed():
    for verb in VERBS:
        result = command.get_command(click.Context(command), verb)
        assert result is not None
        for line in (result.epilog or "").replace("\\\n", " ").splitlines():
            words = shlex.split(re.sub(r"^\s*Examples?:", "", line))
            if words[:1] == ["gistmark"]:
                result.make_context(verb, words[2:], resilient_parsing=False)


def test_help_lists_every_verb_with_its_sentence(run: Run):
    done = run("--help")
    assert done.status == 0
    for verb, (_, sentence) in VERBS.items():
        assert re.search(rf"^  {verb} +{re.escape(sentence)}$", done.out, re.MULTILINE)


def test_the_verbs_of_the_design_that_are_there_go_by_their_names():
    assert {
        "score", "study", "paper", "metrics", "systems", "import", "export", "demo",
    } <= set(VERBS)  # fmt: skip


def test_the_version_is_printed(run: Run):
    assert gistmark.__version__ in run("--version").out


def test_without_a_verb_the_help_is_shown_and_the_command_was_wrong(run: Run):
    done = run()
    assert done.status == 2
    assert "Commands:" in done.out + done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("scroe",),
        ("--colour",),
        ("score",),
        ("score", "SAMPLE", "--metrics", "rouge1"),
        ("score", "SAMPLE", "--workers", "0"),
        ("score", "SAMPLE", "--workers", "many"),
        ("score", "SAMPLE", "--engine", "steam"),
        ("metrics", "rouge1", "rouge2"),
        ("systems", "LeadFirst", "Random"),
        ("demo", "there"),
    ],
)
def test_a_wrong_command_ends_with_2_and_one_message(
    arguments: tuple[str, ...], run: Run, sample: Path
):
    done = run(*(str(sample) if a == "SAMPLE" else a for a in arguments))
    assert done.status == 2
    assert done.out == ""
    assert "Error: " in done.err


BAD = {
    "empty.jsonl": b"",
    "broken.jsonl": b'{"id": "a", "text": "x"\n',
    "list.jsonl": b"[1, 2]\n",
    "numbers.jsonl": b'{"id": 1, "text": 2, "summaries": 3}\n',
    "nulls.jsonl": b'{"id": null, "text": null, "summaries": {"s": null}}\n',
    "deep.jsonl": b"[" * 100_000,
    "bytes.jsonl": bytes(range(256)) * 4,
    "latin1.jsonl": '{"id": "caf\u00e9", "text": "x"}'.encode("latin-1"),
    "utf16.jsonl": '{"id": "a", "text": "x"}'.encode("utf-16"),
    "surrogate.jsonl": b'{"id": "a\\ud800", "summaries": {"s": "t"}}\n',
    "huge-number.jsonl": b'{"id": "a", "text": "x", "summaries": {"s": 1e999}}\n',
    "twice.jsonl": b'{"id": "a", "text": "x"}\n{"id": "a", "text": "y"}\n',
    "header.csv": b"document,system\n",
    "nothing.csv": b"",
    "ragged.csv": b"document,system,text\na,b\n",
    "quote.csv": b'document,system,text\na,b,"open\n',
    "not.parquet": b"PAR1 but not really PAR1",
    "empty.parquet": b"",
    "table.xlsx": b"PK\x03\x04",
    "no-suffix": b"text",
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_end_with_1_and_a_message_that_names_the_file(
    name: str, run: Run, tmp_path: Path
):
    path = tmp_path / name
    path.write_bytes(BAD[name])
    done = run("score", path, "-m", "words")
    assert done.status == 1
    assert done.out == ""
    assert done.err.startswith("gistmark: ")
    assert name in done.err
    assert "Traceback" not in done.err


def test_a_bad_file_has_no_traceback_in_a_process_of_its_own_either(shell: Run, tmp_path: Path):
    (tmp_path / "bad.jsonl").write_bytes(b"\xff\xfe{")
    done = shell("score", tmp_path / "bad.jsonl")
    assert done.status == 1
    assert "bad.jsonl" in done.err
    assert "Traceback" not in done.err


def test_no_such_corpus_is_said_in_one_message(run: Run, tmp_path: Path):
    done = run("score", tmp_path / "nowhere")
    assert done.status == 1
    assert "nowhere: There is no such file or folder." in done.err


def test_an_empty_folder_is_not_a_corpus(run: Run, tmp_path: Path):
    (tmp_path / "hollow").mkdir()
    done = run("score", tmp_path / "hollow")
    assert done.status == 1
    assert "neither documents.jsonl nor summaries.jsonl" in done.err


def test_an_error_of_the_system_is_one_line_with_the_file(
    run: Run, monkeypatch: pytest.MonkeyPatch, sample: Path
):
    def fail(path: object) -> None:
        raise PermissionError(13, "Permission denied", "secret.jsonl")

    monkeypatch.setattr("gistmark.corpus.load", fail)
    done = run("score", sample)
    assert done.status == 1
    assert done.err == "gistmark: secret.jsonl: Permission denied\n"


def test_an_interruption_before_the_run_is_one_word(
    run: Run, monkeypatch: pytest.MonkeyPatch, sample: Path
):
    def stop(path: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gistmark.corpus.load", stop)
    done = run("score", sample)
    assert done.status == 1
    assert done.err.strip() == "gistmark: Interrupted."


@pytest.mark.skipif(sys.platform == "win32", reason="pipes of a POSIX shell")
@pytest.mark.parametrize("arguments", ["metrics --json", "score SAMPLE -m lexical", "--help"])
def test_a_reader_that_stops_reading_is_no_reason_to_complain(
    arguments: str, sample: Path, tmp_path: Path
):
    command = f"{sys.executable} -m gistmark {arguments.replace('SAMPLE', str(sample))}"
    done = subprocess.run(
        ["/bin/sh", "-c", f"({command}; echo $? > status) | true"],
        capture_output=True, text=True, timeout=120, cwd=tmp_path,
    )  # fmt: skip
    assert done.stderr == ""
    assert (tmp_path / "status").read_text().strip() in ("0", "1")


def test_a_terminal_without_unicode_gets_what_it_can_show(shell: Run, sample: Path):
    done = shell("score", sample, "-m", "rouge1", PYTHONIOENCODING="ascii")
    assert done.status == 0
    assert done.err == ""
    assert "careful" in done.out
    assert done.out.isascii()


def test_the_module_and_the_script_are_one_command(shell: Run):
    script = Path(sys.executable).with_name("gistmark")
    done = subprocess.run([script, "--version"], capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0
    assert done.stdout == shell("--version").out


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> str:
    """A verb of Gistmark's own with a bug in it."""

    @click.command()
    def faulty_verb() -> None:
        raise KeyError("lost")

    module = ModuleType("faulty_module")
    module.faulty_verb = faulty_verb  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "faulty_module", module)
    monkeypatch.setitem(VERBS, "faulty", ("faulty_module:faulty_verb", "Fails."))
    return "faulty"


def fail(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as caught:
        main(list(arguments))
    assert caught.value.code == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    return printed.err


UNEXPECTED = (
    "gistmark: Unexpected error: KeyError: 'lost'. Please report it, with the "
    "traceback that gistmark --debug shows for the same command.\n"
)


def test_a_bug_of_ours_is_one_sentence_that_asks_for_a_report(
    faulty: str, capsys: pytest.CaptureFixture[str]
):
    assert fail(capsys, faulty) == UNEXPECTED


def test_debug_shows_the_traceback_of_a_bug(faulty: str, capsys: pytest.CaptureFixture[str]):
    err = fail(capsys, "--debug", faulty)
    assert err.startswith("Traceback (most recent call last):\n")
    assert "in faulty_verb" in err
    assert err.endswith(UNEXPECTED)


@pytest.mark.parametrize(("value", "shown"), [("1", True), ("0", False), ("", False)])
def test_the_environment_can_ask_for_tracebacks(
    faulty: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    value: str,
    shown: bool,
):
    monkeypatch.setenv("GISTMARK_DEBUG", value)
    assert ("Traceback" in fail(capsys, faulty)) == shown


def test_debug_shows_no_traceback_for_a_wrong_command_or_for_help(run: Run):
    for arguments in (("--debug", "scroe"), ("--debug", "score", "--help")):
        assert "Traceback" not in run(*arguments).err
