"""Baselines: what BERTScore gives for texts that have nothing to do with each other.

Rescaled by them, a score of 0 says that two texts are no more alike than any two, which spreads
the scores of a model out. The files of bert-score can be used as they are.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np

from gistmark.errors import GistmarkError, UsageError
from gistmark.metrics.metric import Float64


@dataclass(frozen=True)
class Baseline:
    """Precision, recall and F by layer; `label` is what a signature calls the file."""

    label: str
    rows: Mapping[int, tuple[float, float, float]]

    def rescaled(self, values: Float64, layer: int) -> Float64:
        """Columns of precision, recall and F: (value - baseline) / (1 - baseline)."""
        if layer not in self.rows:
            raise GistmarkError(f"The baseline {self.label} has no row for layer {layer}.")
        base = np.array(self.rows[layer])
        found: Float64 = (values - base) / (1 - base)
        return found


def read_baseline(file: str) -> Baseline:
    """The baseline of a file: a header, then layer, P, R and F with commas or tabs between."""
    path = Path(file).expanduser()
    try:
        content = path.read_bytes()
        lines = content.decode("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        raise UsageError(f"baseline: {file!r} is neither no nor a text file here.") from None
    delimiter = "\t" if lines and "\t" in lines[0] else ","
    rows: dict[int, tuple[float, float, float]] = {}
    for number, fields in enumerate(csv.reader(lines[1:], delimiter=delimiter), start=2):
        if fields:
            rows.update([_row(file, number, fields)])
    if not rows:
        raise UsageError(f"baseline: {file} has no rows; each is layer, P, R and F.")
    return Baseline(f"{path.name}@{sha256(content).hexdigest()[:12]}", rows)


def _row(file: str, number: int, fields: list[str]) -> tuple[int, tuple[float, float, float]]:
    try:
        layer, (precision, recall, f) = int(fields[0]), map(float, fields[1:])
    except ValueError:
        raise UsageError(
            f"baseline: line {number} of {file} is not a layer and three numbers."
        ) from None
    if not all(-1 <= number < 1 for number in (precision, recall, f)):
        raise UsageError(
            f"baseline: a number on line {number} of {file} is not from -1 to below 1."
        )
    return layer, (precision, recall, f)
