"""The package blanc 0.3.4 of BLANC's authors, which the benchmarks compare with.

It pins versions of torch and transformers that are years old, so it cannot be installed beside
Gistmark. Its wheel is fetched without its dependencies into a folder that is gone at the end, and
it gets the few names that today's transformers has no more. NLTK's sentences need data that a
closed-off machine cannot have, so it splits texts as Gistmark does.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

VERSION = "0.3.4"


@cache
def blanc_package() -> ModuleType:
    """The module `blanc`, ready to run; with its submodules `blanc.blanc` and `blanc.shannon`."""
    sys.path.insert(0, str(_unpacked()))
    _put_back_old_names()
    import blanc.blanc
    import blanc.shannon

    from gistmark.text.sentences import sentences

    for module in (blanc.blanc, blanc.shannon):
        module.sent_tokenize = sentences
    return blanc


def shannon_on(name: str, *, upstream: int = 0) -> Any:
    """The package's Shannon class on any causal model; by itself it knows a few hub names.

    It gets the logits of the last place alone. Of several it would take the first, so that it
    would judge the first token of each sentence by what the model says without any context.
    """
    from gistmark.models.language_models.causal import causal_model

    module = blanc_package().shannon
    model = causal_model(name)

    def run(**inputs: Any) -> tuple[Any, Any]:
        found = model.network(**inputs)
        return found.logits[:, -1:], found.past_key_values

    module.get_model = lambda *_: (run, model.tokenizer, model.start, model.longest)
    return module.Shannon(num_upstream=upstream, device="cpu")


def _unpacked() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="gistmark-blanc-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    command = [
        sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", "download",
        "--no-deps", "--only-binary", ":all:", "--dest", str(folder), f"blanc=={VERSION}",
    ]  # fmt: skip
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        raise SystemExit(f"pip could not fetch blanc {VERSION}, which this benchmark needs.")
    (wheel,) = folder.glob("*.whl")
    shutil.unpack_archive(wheel, folder, "zip")
    return folder


def _put_back_old_names() -> None:
    """Names that blanc imports from transformers; of the classes only AdamW is ever used."""
    import torch
    from transformers import BertForMaskedLM  # noqa: F401

    # Importing the first model puts another module in the place of transformers.
    transformers: Any = sys.modules["transformers"]
    transformers.AdamW = torch.optim.AdamW
    for name in ("TransfoXLLMHeadModel", "TransfoXLTokenizer"):
        if not hasattr(transformers, name):
            setattr(transformers, name, object)
