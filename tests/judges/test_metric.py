from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from gistmark.corpus import Corpus
from gistmark.errors import UsageError
from gistmark.judgements import get_protocol, to_mapping
from gistmark.judges import Limits, limited
from gistmark.judges.chat import KEY
from gistmark.judges.metric import EMPTY, NO_DOCUMENT_TEXT, NO_REFERENCE
from gistmark.metrics import Batch, Item, metric_from, metric_from_signature, metrics_from
from gistmark.records import Document, Summary
from gistmark.scoring import score
from judges.server import JudgeServer, Reply, error, prompt_of

Serve = Callable[..., JudgeServer]

CORPUS = Corpus(
    documents=tuple(Document(f"d{n}", (f"Story {n} about a bridge.",)) for n in range(4)),
    summaries=tuple(
        Summary(f"d{n}", system, f"{word} gist {n}.")
        for n in range(4)
        for system, word in (("a", "good"), ("b", "bad"))
    ),
)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GISTMARK_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def server(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> JudgeServer:
    """A server that knows good from bad, as that of the environment."""
    server = serve(quality=lambda text: 0.9 if "good" in text else 0.2)
    monkeypatch.setenv("GISTMARK_JUDGE_URL", server.url)
    monkeypatch.setenv("GISTMARK_JUDGE_MODEL", "tiny")
    return server


def test_summaries_are_scored_on_the_scale_of_the_protocol(server: JudgeServer) -> None:
    board = score(CORPUS, ["judge"]).leaderboard()
    good, bad = (board.of(system, "judge", "value").mean for system in "ab")
    assert 0 <= bad < 2 < good <= 4
    assert "<document>\nStory 0 about a bridge.\n</document>" in prompt_of(server.judged[0])
    assert '"a"' not in prompt_of(server.judged[0]), "the judge is blind"


def test_what_was_judged_is_not_asked_again(server: JudgeServer) -> None:
    first = score(CORPUS, ["judge"])
    count = len(server.judged)
    assert count == 8
    assert score(CORPUS, ["judge"])["judge"].values.tolist() == first["judge"].values.tolist()
    assert len(server.judged) == count


def test_a_missing_answer_is_cached_and_a_failure_of_the_server_is_not(
    server: JudgeServer,
) -> None:
    def script(number: int, body: dict[str, object]) -> Reply | None:
        if "good gist 1." in prompt_of(body):
            return Reply(refusal="No.")
        return error(503, "Busy") if "bad gist 2." in prompt_of(body) else None

    server.script = script
    column = score(CORPUS, ["judge"])["judge"]
    assert sorted(column.reasons.values()) == [
        "the judge refused to answer",
        "the server failed with status 503: Busy",
    ]
    server.script = lambda *_: None
    server.seen.clear()
    column = score(CORPUS, ["judge"])["judge"]
    assert list(column.reasons.values()) == ["the judge refused to answer"]
    assert ["bad gist 2." in prompt_of(body) for body in server.judged] == [True]


def test_a_limit_stops_a_run_and_the_next_one_goes_on(server: JudgeServer) -> None:
    with limited(Limits(requests=4)) as meter:
        column = score(CORPUS, ["judge"])["judge"]
    assert meter.requests == 4
    assert set(column.reasons.values()) == {"the limit of 4 requests was reached"}
    assert len(column.reasons) == 5  # one request was for what the server offers
    with limited(Limits()) as meter:
        assert not score(CORPUS, ["judge"])["judge"].reasons
    assert meter.requests == 1 + 5


def test_the_signature_has_prompt_model_and_parameters_and_neither_address_nor_key(
    server: JudgeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY, "sk-secret")
    signature = score(CORPUS, ["judge"]).signatures["judge"]
    assert "answers:logprobs" in signature
    assert "form:json" in signature
    assert "model:tiny" in signature
    assert "127.0.0.1" not in signature
    assert "sk-secret" not in signature
    assert metric_from_signature(signature).signature == signature
    server.logprobs = False
    with limited(Limits()):
        assert "answers:samples" in score(CORPUS, ["judge"]).signatures["judge"]


def test_another_server_is_another_signature(server: JudgeServer, serve: Serve) -> None:
    signature = metric_from("judge").signature
    other = metric_from(f"judge:server={serve().url.replace(':', chr(92) + ':')}").signature
    assert other != signature
    with pytest.raises(UsageError, match="on another server than"):
        metric_from_signature(other)


def test_the_key_is_in_no_file_of_the_cache(
    server: JudgeServer, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.key = "sk-secret"
    monkeypatch.setenv(KEY, "sk-secret")
    score(CORPUS, ["judge"])
    files = [file for file in cache.rglob("*") if file.is_file()]
    assert files
    assert not any(b"sk-secret" in file.read_bytes() for file in files)


def test_a_rubric_steps_and_examples_are_in_the_prompt_and_its_hash(
    server: JudgeServer, tmp_path: Path
) -> None:
    files = {name: tmp_path / f"{name}.txt" for name in ("rubric", "steps", "examples")}
    for name, file in files.items():
        file.write_text(f"These are the {name}.", encoding="utf-8")
    given = ",".join(f"{name}={file}" for name, file in files.items())
    plain, guided = metric_from("judge"), metric_from(f"judge:{given}")
    assert plain.signature != guided.signature
    guided.score(Batch.of([Item("good", (), "A story.")]))
    content = prompt_of(server.judged[0])
    for title, name in (("Rubric", "rubric"), ("Steps", "steps"), ("Examples", "examples")):
        assert f"{title}:\nThese are the {name}." in content
    files["rubric"].write_text("Another one.", encoding="utf-8")
    assert metric_from(f"judge:{given}").signature != guided.signature
    assert str(tmp_path) not in guided.signature
    files["steps"].write_text(" \n", encoding="utf-8")
    with pytest.raises(UsageError, match="is empty"):
        _ = metric_from(f"judge:{given}").signature


def test_every_dimension_of_a_protocol_is_a_metric() -> None:
    metrics = metrics_from(["judge:protocol=quality,dimension=all,model=tiny"])
    names = [each.name for each in get_protocol("quality").dimensions]
    assert [metric.options.dimension for metric in metrics.values()] == names
    assert all(metric.needs == {"references"} for metric in metrics.values())


def test_a_protocol_of_ones_own_is_a_file(server: JudgeServer, tmp_path: Path) -> None:
    mapping = to_mapping(get_protocol("overall")) | {"name": "mine", "shows": []}
    mapping["dimensions"] = [{"name": "wit", "question": "How witty is it?"}]
    file = tmp_path / "mine.json"
    file.write_text(json.dumps(mapping), encoding="utf-8")
    metric = metric_from(f"judge:dimension=wit,protocol={file}")
    metric.score(Batch.of([Item("good")]))
    assert "Question: How witty is it?" in prompt_of(server.judged[0])
    file.write_text("[]", encoding="utf-8")
    with pytest.raises(UsageError, match="must be a JSON object"):
        metric_from(f"judge:dimension=wit,protocol={file}")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("judge:dimension=charm", "There is no dimension 'charm'. Known: overall, "),
        ("judge:dimension=charm,protocol=likert", "of the protocol likert named 'charm'"),
        ("judge:protocol=pairwise", "does not rate summaries on scales; these do: overall"),
        ("judge:dimension=recall,protocol=content-highlight", "shows a heat map"),
        ("judge:protocol=none.json", "There is no file none.json"),
        ("judge:dimension=all", "dimension=all needs protocol=NAME"),
        ("judge:samples=0", "out of range"),
        ("judge:server=localhost", "The judge's address must begin with http"),
        ("judge:answers=always", "is not one of auto, logprobs, samples"),
    ],
)
def test_what_cannot_be_judged_is_one_sentence(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message.replace(".", r"\.")):
        metrics_from([spec])


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (Item(" ", ("r",), "d"), EMPTY),
        (Item("s", ("r",), " "), NO_DOCUMENT_TEXT),
        (Item("s", ("r",)), NO_DOCUMENT_TEXT),
        (Item("s", ("",), "d"), NO_REFERENCE),
    ],
)
def test_what_is_missing_is_not_asked_about(server: JudgeServer, item: Item, reason: str) -> None:
    values = metric_from("judge:shows=both").score(Batch.of([item]))
    assert values.reasons == {0: reason}
    assert not server.seen
