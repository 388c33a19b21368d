"""The hub: what it gives is whole and free of pickles, and a dead hub is asked once."""

from __future__ import annotations

import socket
import sys
import time
from pathlib import Path

import pytest

from gistmark.errors import GistmarkError, MissingExtraError
from gistmark.models import KNOWN, fetch, is_here, model_folder, store
from gistmark.models.loading import label_of
from gistmark.models.store import UnreachableHubError, hub_model

huggingface_hub = pytest.importorskip("huggingface_hub")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test remembers what the hub refused another, and none waits for the real one."""
    monkeypatch.setattr(store, "_hub_refusals", {})
    monkeypatch.setattr(store, "PATIENCE", 0.2)
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:9")


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """A hub that has `roberta-base` with safetensors and `microsoft/deberta-base` with pickles."""
    asked: list[tuple[str, list[str]]] = []

    def snapshot_download(name: str, *, allow_patterns: list[str]) -> str:
        asked.append((name, allow_patterns))
        folder = tmp_path / "hub" / f"models--{name.replace('/', '--')}" / "snapshots" / "main"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "config.json").write_text("{}")
        pickled = any(pattern.endswith(".bin") for pattern in allow_patterns)
        if name == "roberta-base":
            (folder / "model.safetensors").write_bytes(b"")
        elif name == "microsoft/deberta-base" and pickled:
            (folder / "pytorch_model.bin").write_bytes(b"")
        return str(folder)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    return asked


def refusing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> list[str]:
    asked: list[str] = []

    def snapshot_download(name: str, **_: object) -> str:
        asked.append(name)
        raise error

    monkeypatch.setattr(huggingface_hub, "snapshot_download", snapshot_download)
    return asked


def test_a_model_is_fetched_without_pickles_and_without_code(asked: list[tuple[str, list[str]]]):
    (folder,) = fetch("roberta-base")
    ((_, patterns),) = asked
    assert not any(pattern.endswith((".bin", ".pt", ".py", "/*")) for pattern in patterns)
    assert model_folder("roberta-base") == folder
    assert is_here(KNOWN["roberta-base"])
    assert fetch("roberta-base") == [hub_model("roberta-base")] == [folder]
    assert len(asked) == 1, "what is here is not fetched again"


def test_pickled_weights_are_fetched_where_there_are_no_others(
    asked: list[tuple[str, list[str]]],
):
    folder = hub_model("microsoft/deberta-base")
    assert (folder / "pytorch_model.bin").is_file()
    assert [name for name, _ in asked] == ["microsoft/deberta-base"] * 2
    assert not any(pattern.endswith(".py") for _, patterns in asked for pattern in patterns)


def test_a_model_without_weights_is_an_error(asked: list[tuple[str, list[str]]]):
    with pytest.raises(GistmarkError, match="t5-small on the hub has no weights"):
        fetch("t5-small")


def test_a_copy_without_weights_does_not_count_as_here(tmp_path: Path):
    folder = tmp_path / "hub" / "models--roberta-base" / "snapshots" / "main"
    folder.mkdir(parents=True)
    (folder / "config.json").write_text("{}")
    assert not is_here(KNOWN["roberta-base"])
    (folder / "model.safetensors").write_bytes(b"")
    assert is_here(KNOWN["roberta-base"])


def test_of_several_copies_the_one_that_the_hub_calls_main_counts(tmp_path: Path):
    home = tmp_path / "hub" / "models--roberta-base"
    for revision in ("older", "newer"):
        folder = home / "snapshots" / revision
        folder.mkdir(parents=True)
        for name in ("config.json", "model.safetensors"):
            (folder / name).write_text("{}")
    (home / "refs").mkdir()
    (home / "refs" / "main").write_text("older")
    assert hub_model("roberta-base", fetch=False) == home / "snapshots" / "older"


def test_a_name_that_no_hub_allows_is_no_model_and_no_traceback():
    assert label_of("a--b/c..d") == "a--b/c..d@missing"
    with pytest.raises(GistmarkError, match="is not on this machine"):
        hub_model("a--b/c..d", fetch=False)


def test_nothing_is_fetched_unless_asked(asked: list[tuple[str, list[str]]]):
    with pytest.raises(GistmarkError, match="roberta-base is not on this machine"):
        hub_model("roberta-base", fetch=False)
    assert asked == []


def test_the_hub_library_may_be_absent(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    with pytest.raises(MissingExtraError, match=r"huggingface_hub .* 'gistmark\[neural\]'"):
        fetch("roberta-base")


def test_a_hub_that_cannot_be_reached_is_asked_once_for_all_models(
    monkeypatch: pytest.MonkeyPatch,
):
    asked = refusing(monkeypatch, huggingface_hub.errors.LocalEntryNotFoundError("no route\nmore"))
    for name in ("roberta-base", "roberta-base", "t5-small"):
        with pytest.raises(UnreachableHubError, match=f"The model {name} .* cannot be reached"):
            hub_model(name)
    assert asked == ["roberta-base"]
    with pytest.raises(UnreachableHubError):
        fetch("t5-small")
    assert asked == ["roberta-base", "t5-small"], "who asks by command is not put off"


def test_what_the_hub_refuses_is_one_sentence_and_asked_once(monkeypatch: pytest.MonkeyPatch):
    asked = refusing(monkeypatch, PermissionError("gated\nmore"))
    for name in ("roberta-base", "roberta-base", "t5-small"):
        with pytest.raises(
            GistmarkError, match=f"{name} could not be fetched from the hub: gated$"
        ):
            hub_model(name)
    assert asked == ["roberta-base", "t5-small"]


def test_a_hub_that_never_answers_is_given_up_soon(monkeypatch: pytest.MonkeyPatch):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", address)
        started = time.monotonic()
        for name in ("roberta-base", "t5-small"):
            with pytest.raises(UnreachableHubError, match=f"{name} .* cannot be reached"):
                hub_model(name)
        assert time.monotonic() - started < 5
