"""The package blanc 0.3.4 of BLANC's authors, which the benchmarks compare with.

It pins versions of torch and transformers that are years old, so it cannot be installed beside
Gistmark. Its wheel is fetched without its dependencies into a folder that is gone at the end, and
it gets the few names that current versions of transformers lack. NLTK's sentence splitter needs
data that an offline machine cannot fetch, so the package splits texts as Gistmark does.
"""

from __future__ import annotations

import atexit
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from harness import best_of

Group = tuple[str, list[str]]
"""A document and its summaries."""

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


def compared(
    ours: Callable[[], np.ndarray],
    peers: Mapping[int, Any],
    groups: Sequence[Group],
    *,
    runs: int,
    clock: Callable[[], float] = time.perf_counter,
) -> tuple[np.ndarray, float, float]:
    """The counts of Gistmark, and how much longer the package takes, by default and at its best.

    `peers` are metrics of the package by their batch size, the default first. All counts of every
    summary must be equal.
    """
    documents, summaries = zip(*groups, strict=True)
    (mine, *theirs), (counts, *expected) = best_of(
        runs,
        ours,
        *[
            lambda peer=peer: peer.eval_summaries_for_docs(documents, summaries)
            for peer in peers.values()
        ],
        clock=clock,
    )
    for scores in expected:
        known = [[*table[0], *table[1]] for row in scores for _, table in row]
        if not np.array_equal(counts, known):
            raise SystemExit(f"Gistmark counts {counts.tolist()}, the package {known}")
    best = [*peers][theirs.index(min(theirs))]
    print(
        f"      {len(counts)} {'summaries' if len(counts) > 1 else 'summary'} in {mine:.1f} s, "
        f"blanc {theirs[0]:.1f} s, and {min(theirs):.1f} s in batches of {best}; "
        f"S00 to S11: {counts.sum(axis=0).astype(int)}"
    )
    return counts, theirs[0] / mine, min(theirs) / mine


def shannon_on(name: str, *, upstream: int = 0) -> Any:
    """The package's Shannon class on any causal model; by itself it knows a few hub names.

    It gets the logits of the last position alone. Of several it would take the first, so that it
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
    """Names that blanc imports from transformers; only the class AdamW is ever used."""
    import torch
    from transformers import BertForMaskedLM  # noqa: F401

    # Importing the first model replaces the module of transformers by another one.
    transformers: Any = sys.modules["transformers"]
    transformers.AdamW = torch.optim.AdamW
    for name in ("TransfoXLLMHeadModel", "TransfoXLTokenizer"):
        if not hasattr(transformers, name):
            setattr(transformers, name, object)
