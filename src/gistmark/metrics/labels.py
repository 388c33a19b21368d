"""What a metric is called where people read its numbers: with the model behind them.

BERTScore on one model is another measure than BERTScore on another, so no table shows the name of
the metric alone.
"""

from __future__ import annotations

import re
from pathlib import Path

_MODEL = re.compile(r"\|(?:model|vectors):([^|]*)")
_HASH = re.compile(r"@([0-9a-f]{12}|missing)$")


def model_of(signature: str) -> str | None:
    """The model or the word vectors that a signature names, without the hash, if there are any."""
    named = _MODEL.search(signature)
    return _HASH.sub("", named[1]) if named else None


def labelled(metric: str, signature: str | None, name: str | None = None) -> str:
    """The metric as it was asked for, with its model: `bertscore (all-MiniLM-L6-v2)`.

    One that was asked for with its model, such as `bertscore:model=roberta-large`, and one without
    any stay as they are. `name` is what stands before the model, such as a part of the metric.
    """
    name = metric if name is None else name
    model = None if signature is None else model_of(signature)
    values = [setting.partition("=")[2] for setting in metric.partition(":")[2].split(",")]
    if model is None or any(model in (value, Path(value).name) for value in values):
        return name
    return f"{name} ({model})"
