"""Models of the Hugging Face hub: those that its libraries have kept here, and getting others.

Of a model its settings, vocabulary and safetensors are fetched; pickled weights only where there
are no others, and code never.
"""

from __future__ import annotations

from http.client import HTTPException
from pathlib import Path
from threading import Lock
from urllib.error import URLError
from urllib.request import Request, urlopen

from gistmark.errors import GistmarkError, MissingExtraError
from gistmark.models.folders import hub_folder

PATIENCE = 5.0

_FILES = ["*.json", "*.txt", "*.model", "*.safetensors"]
_PICKLED = [*_FILES, "*pytorch_model*.bin"]
_DENSE = "2_Dense"  # a layer that some sentence encoders have after their pooling
_ASKING = Lock()
_refused: dict[str, str] = {}


class UnreachableHubError(GistmarkError):
    """The hub does not answer, or the machine is set up not to ask it."""


def hub_model(name: str, *, fetch: bool = True) -> Path:
    """The folder of a hub model; one that is not here is fetched, because its name was asked for.

    What the hub refused once is not asked for again in the same process, and nothing more is
    asked of a hub that could not be reached.
    """
    snapshot = hub_snapshot(name)
    if snapshot is not None:
        return snapshot
    if not fetch:
        raise GistmarkError(f"The model {name} is not on this machine.")
    with _ASKING:
        if "" in _refused:
            raise UnreachableHubError(_unreachable(name))
        if name in _refused:
            raise GistmarkError(_refused[name])
        try:
            return fetch_from_hub(name)
        except GistmarkError as error:
            _refused["" if isinstance(error, UnreachableHubError) else name] = str(error)
            raise


def hub_snapshot(name: str) -> Path | None:
    """The newest copy with weights that the libraries of Hugging Face have kept of a model."""
    place = hub_folder() / f"models--{name.replace('/', '--')}" / "snapshots"
    found = [path.parent for path in place.glob("*/config.json") if _has_weights(path.parent)]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)


def fetch_from_hub(name: str) -> Path:
    """Bring a model from the hub; give its folder."""
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
        raise GistmarkError(f"The model {name} could not be had from the hub: {reason}") from error
    if not _has_weights(folder):
        raise GistmarkError(f"The model {name} on the hub has no weights that can be read.")
    return folder


def _unreachable(name: str) -> str:
    return (
        f"The model {name} is not here and the hub cannot be reached; a model folder will do, too."
    )


def _is_silent() -> bool:
    """Whether the hub, or what stands in the way to it, swallows requests without an answer.

    The hub's own library would wait for ever. Other troubles it finds and tells itself.
    """
    from huggingface_hub import constants

    if constants.HF_HUB_OFFLINE:
        return False
    try:
        request = Request(constants.ENDPOINT, method="HEAD")  # noqa: S310
        with urlopen(request, timeout=PATIENCE):  # noqa: S310
            return False
    except URLError as error:
        return isinstance(error.reason, TimeoutError)
    except TimeoutError:
        return True
    except (OSError, HTTPException, ValueError):
        return False


def _has_safetensors(folder: Path) -> bool:
    parts = [folder, *(part for part in (folder / _DENSE,) if part.is_dir())]
    return all(any(part.glob("*.safetensors")) for part in parts)


def _has_weights(folder: Path) -> bool:
    return any(any(folder.glob(f"*{kind}")) for kind in (".safetensors", "pytorch_model*.bin"))
