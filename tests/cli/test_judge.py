from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from gistmark.cli.main import main
from gistmark.corpus import Corpus, load, save
from gistmark.records import Document, Summary
from gistmark.runtime import http
from judges.server import JudgeServer, Reply, error, running

Run = Callable[..., int]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    documents = tuple(Document(f"d{n}", (f"Story {n}.",)) for n in range(3))
    summaries = tuple(Summary(d.id, s, f"{s} gist of {d.id}.") for d in documents for s in "ab")
    save(Corpus(documents, summaries), tmp_path / "corpus")
    return tmp_path / "corpus"


@pytest.fixture
def serve() -> Iterator[Callable[..., JudgeServer]]:
    with ExitStack() as stack:
        yield lambda **settings: stack.enter_context(running(JudgeServer(**settings)))


@pytest.fixture(autouse=True)
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GISTMARK_CACHE", str(tmp_path / "cache"))
    for name in ("URL", "MODEL", "KEY"):
        monkeypatch.delenv(f"GISTMARK_JUDGE_{name}", raising=False)
    monkeypatch.setattr(http, "PAUSE", 0.001)


def run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as done:
        main([str(each) for each in arguments])
    code = done.value.code
    assert isinstance(code, int)
    return code


def at(server: JudgeServer) -> tuple[str, ...]:
    return "--judge-url", server.url, "--judge-model", "tiny"


def test_ratings_are_added_to_a_corpus_under_a_machines_name(
    serve: Callable[..., JudgeServer], folder: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    server = serve()
    prices = ("--judge-price-in", 1, "--judge-price-out", 4)
    judged = tmp_path / "judged"
    assert run("judge", folder, "-p", "overall", "-o", judged, *at(server), *prices, "--yes") == 0
    shown = capsys.readouterr()
    assert "The judge is asked 6 questions: 6 requests, about" in shown.err
    # Each of 7 answers, one of them a test, has 100 tokens read and 2 written.
    assert "got 7 requests: 700 tokens read, 14 written, which cost about 0.00." in shown.err
    assert "machine:tiny judged" in shown.out
    ratings = load(judged).ratings
    assert len(ratings) == 6
    assert {each.annotator for each in ratings} == {"machine:tiny"}


def test_comparisons_too_as_json(
    serve: Callable[..., JudgeServer], folder: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    server = serve(quality=lambda text: 1.0 if text.startswith("a") else 0.0)
    arguments = ("-p", "pairwise", "-d", "structure", "-o", tmp_path / "judged", "--name", "robot")
    assert run("judge", folder, *arguments, *at(server), "--yes", "--json") == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["annotator"] == "robot"
    assert shown["dimensions"] == [{"dimension": "Structure", "judgements": 3, "ties": 0.0}]
    chosen = load(tmp_path / "judged").comparisons
    assert {each.winner for each in chosen} == {"a"}


def test_nothing_is_asked_without_consent(
    serve: Callable[..., JudgeServer], folder: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    server = serve()
    assert run("judge", folder, "-p", "overall", "-o", tmp_path / "judged", *at(server)) == 2
    assert "start it with --yes" in capsys.readouterr().err
    assert run("score", folder, "-m", "judge", *at(server)) == 2
    assert not server.judged
    assert not (tmp_path / "judged").exists()


def test_a_judge_is_a_metric_of_score(
    serve: Callable[..., JudgeServer], folder: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    server = serve()
    scores = tmp_path / "scores.csv"
    metrics = ("-m", "judge:protocol=likert,dimension=all", "-m", "words")
    limit = ("--judge-requests", 40)
    assert run("score", folder, *metrics, "-o", scores, *at(server), *limit, "--yes") == 0
    shown = capsys.readouterr().err
    assert "The judge is asked 66 questions: 66 requests" in shown
    assert "The limit of 40 requests will stop it before the end." in shown
    assert "missing (the limit of 40 requests was reached)" in shown
    assert run("score", folder, *metrics, "-o", scores, *at(server), "--yes") == 0
    assert "The judge is asked 27 questions" in capsys.readouterr().err  # 66 - 39 answers
    assert run("score", folder, *metrics, *at(server)) == 0, "all is cached: nothing to ask for"


def test_a_server_is_asked_from_this_process_alone(
    serve: Callable[..., JudgeServer], folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("-m", "judge", *at(serve()), "--yes", "--engine", "ray")
    assert run("score", folder, *arguments) == 2
    assert "runs on the local engine" in capsys.readouterr().err


def test_study_leaves_servers_to_score(
    serve: Callable[..., JudgeServer], folder: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("GISTMARK_JUDGE_URL", serve().url)
    monkeypatch.setenv("GISTMARK_JUDGE_MODEL", "tiny")
    assert run("study", folder, "-m", "judge") == 2
    assert "Only gistmark score asks a judge" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("settings", "status", "message"),
    [
        ({"key": "sk-x"}, 1, "does not accept requests without a key; set GISTMARK_JUDGE_KEY"),
        ({"models": ("big",)}, 1, "The model tiny does not exist"),
        ({"script": lambda *_: error(500, "Oops")}, 1, "the server failed with status 500: Oops"),
        ({"script": lambda n, _: Reply(refusal="No.") if n > 1 else None}, 1, "no answer that c"),
    ],
)
def test_a_server_that_does_not_judge_is_one_sentence(
    serve: Callable[..., JudgeServer], folder: Path, tmp_path: Path,
    capsys: pytest.CaptureFixture[str], settings: dict[str, object], status: int, message: str,
) -> None:  # fmt: skip
    arguments = ("-p", "overall", "-o", tmp_path / "judged", *at(serve(**settings)), "--yes")
    assert run("judge", folder, *arguments) == status
    shown = capsys.readouterr().err
    assert message in shown
    assert "Traceback" not in shown
    assert not (tmp_path / "judged").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-p", "likert", "-d", "charm"), "named 'charm'. Known: Non-Redundancy"),
        (("-p", "highlight"), "The protocol highlight does not rate summaries on scales"),
        (("-p", "overall", "--option", "model=x"), "model has an option of its own"),
        (("-p", "overall", "--option", "samples"), "write NAME=VALUE, not 'samples'"),
        (("-p", "overall", "--judge-cost", "1"), "needs the prices"),
        (("-p", "overall", "--judge-url", "nowhere"), "must begin with http://"),
        (("-p", "overall", "--judge-url", "http://localhost:1/v1"), "Say which model of the serv"),
    ],
)
def test_a_wrong_command_is_one_sentence(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...], message: str,
) -> None:  # fmt: skip
    assert run("judge", folder, *arguments, "-o", tmp_path / "judged") == 2
    assert message in capsys.readouterr().err


def test_what_is_there_is_not_written_over(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("judge", folder, "-p", "overall", "-o", folder) == 2
    assert "--force writes over it" in capsys.readouterr().err
