"""A learnt metric as numbers in a JSON file: for each feature its centre, spread and weight.

The value of a summary is the sum of its features' contributions,

    weight × (feature - centre) / spread, within ±`clip` spreads

in standard deviations of people's scores: 0 is an average summary of the data that the metric
learnt from. A copied lead is compared with the rest of its document. The standard deviation
adds what the weights leave open (their covariance over resampled documents) to how far people were
from the predictions for data sets that the metric had not seen.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, get_args

import numpy as np

from gistmark.errors import UsageError
from gistmark.metrics.learnt.features import Feature, Group, feature_named
from gistmark.metrics.learnt.fitting import CLIPS, Fit
from gistmark.metrics.metric import Float64
from gistmark.metrics.options import Against
from gistmark.runtime.files import user_path, write_text

FORMAT = "gistmark learnt metric 2"
EARLIER_FORMAT = "gistmark learnt metric 1"
"""Features count within ±3 spreads, and a copied lead is compared with the whole document."""
_CLIP_OF_FORMAT = {FORMAT: CLIPS["document"], EARLIER_FORMAT: 3.0}
"""Where the file does not say."""
GROUPS: tuple[Group, ...] = get_args(Group)
_DIGITS = 5


@dataclass(frozen=True)
class Predicted:
    """Values, their standard deviations, and the contribution of each group of features."""

    values: Float64
    deviations: Float64
    contributions: Float64


@dataclass(frozen=True)
class Model:
    """Weights of features, what they leave open, and where they come from (`card`).

    `rest` says that a copied lead is compared with the rest of its document.
    """

    against: Against
    encoder: str
    features: tuple[Feature, ...]
    fit: Fit
    covariance: Float64
    residual: float
    card: Mapping[str, Any] = field(default_factory=dict)
    rest: bool = True

    def predict(self, features: Float64) -> Predicted:
        """The values of summaries by their features, more being better in each."""
        standard = self.fit.standardised(features)
        single = standard * self.fit.weights
        spread = np.einsum("ij,jk,ik->i", standard, self.covariance, standard)
        deviations = np.sqrt(np.maximum(spread, 0.0) + self.residual**2)
        return Predicted(single.sum(axis=1), deviations, single @ self._membership)

    @property
    def described(self) -> tuple[str, ...]:
        """The model card: what it learnt from, how it does on unseen data, and its weights."""
        lines = [
            f"learnt from {data['name']}: {data['summaries']} summaries of {data['documents']} "
            f"documents, human score {data['human']}"
            for data in self.card.get("sets", ())
        ]
        lines += [
            f"not trained on {data['name']}: Spearman {data['spearman']:.3f}, given the length "
            f"{data['given_length']:.3f}, {data['covered']:.0%} of people's scores within 1 sd"
            for data in self.card.get("held_out", ())
        ]
        weights = zip(self.features, self.fit.weights, strict=True)
        weight_texts = ", ".join(f"{f.name} {w:.2f} ({f.group})" for f, w in weights)
        return (*lines, f"weights: {weight_texts}")

    @property
    def worst(self) -> Float64:
        """The features of a summary that is as bad as can be, such as an empty one."""
        return self.fit.centre - self.fit.clip * self.fit.spread

    @cached_property
    def _membership(self) -> Float64:
        """1 where a feature belongs to a group."""
        rows = [[float(feature.group == group) for group in GROUPS] for feature in self.features]
        return np.array(rows)

    def to_mapping(self) -> dict[str, Any]:
        rows = zip(self.features, self.fit.centre, self.fit.spread, self.fit.weights, strict=True)
        return {
            "format": FORMAT if self.rest else EARLIER_FORMAT,
            "against": self.against,
            "encoder": self.encoder,
            "clip": self.fit.clip,
            "features": {
                feature.name: {"centre": _short(c), "spread": _short(s), "weight": _short(w)}
                for feature, c, s, w in rows
            },
            "covariance": [[_short(cell) for cell in row] for row in self.covariance],
            "residual": _short(self.residual),
            "card": dict(self.card),
        }

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all."""
        write_text(path, json.dumps(self.to_mapping(), indent=1, ensure_ascii=False) + "\n")


@dataclass(frozen=True)
class Stored:
    """A model from a file; `label` is what a signature calls it."""

    label: str
    model: Model


def read_model(name: str) -> Stored:
    """The model of a file that `gistmark metric train` wrote."""
    path = user_path(name)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UsageError(f"weights: {name} cannot be read: {error.strerror}.") from None
    return _parse(content, path.name, name)


@lru_cache
def shipped(name: str) -> Stored:
    """A model that comes with Gistmark."""
    content = files("gistmark.metrics.learnt").joinpath(f"{name}.json").read_bytes()
    return _parse(content, name, name)


def _parse(content: bytes, label: str, where: str) -> Stored:
    problem = f"weights: {where} is not a file that `gistmark metric train` wrote"
    try:
        data = json.loads(content)
        if data["format"] not in (FORMAT, EARLIER_FORMAT):
            formats = f"{EARLIER_FORMAT!r} or {FORMAT!r}"
            raise UsageError(f"{problem}: its format is {data['format']!r}, not {formats}.")
        model = _model(data)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise UsageError(f"{problem}: {type(error).__name__} {error}.") from None
    return Stored(f"{label}@{sha256(content).hexdigest()[:12]}", model)


def _model(data: Mapping[str, Any]) -> Model:
    against: Against = data["against"]
    if against not in get_args(Against):
        raise ValueError(f"against is {against!r}")
    rows = data["features"]
    clip = float(data.get("clip", _CLIP_OF_FORMAT[data["format"]]))
    centre, spread, weights = (
        _numbers([row[k] for row in rows.values()]) for k in ("centre", "spread", "weight")
    )
    fit = Fit(centre, spread, weights, clip)
    features = tuple(feature_named(name, against) for name in rows)
    covariance = _numbers(data["covariance"])
    if covariance.shape != (len(rows), len(rows)) or not (fit.spread > 0).all():
        raise ValueError("not every feature has a positive spread and a row of covariances")
    if not 0 < clip < math.inf:
        raise ValueError(f"clip is {clip}")
    return Model(
        against=against,
        encoder=str(data["encoder"]),
        features=features,
        fit=fit,
        covariance=covariance,
        residual=float(data["residual"]),
        card=data.get("card", {}),
        rest=data["format"] == FORMAT,
    )


def _numbers(values: Sequence[Any]) -> Float64:
    numbers = np.array(values, dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise ValueError("a number is not finite")
    return numbers


def _short(number: float) -> float:
    """A number to five significant digits."""
    if number == 0 or not math.isfinite(number):
        return float(number)
    return float(f"{number:.{_DIGITS}g}")
