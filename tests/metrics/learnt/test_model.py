"""The file of weights."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from gistmark.errors import UsageError
from gistmark.metrics.learnt.features import FEATURES
from gistmark.metrics.learnt.fitting import Fit
from gistmark.metrics.learnt.model import GROUPS, Model, read_model, shipped
from gistmark.records import CONTRIBUTIONS


def model() -> Model:
    features = FEATURES["document"][:3]
    weights = Fit(np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 4.0]), np.array([0.5, 0.25, 1.0]))
    return Model("document", "encoder", features, weights, np.diag([0.01, 0.0, 0.04]), 0.3)


def test_the_value_is_the_sum_of_the_contributions() -> None:
    # In spreads from the centre: (2 - 1)/1 = 1, (0 - 2)/2 = -1, (11 - 3)/4 = 2.
    predicted = model().predict(np.array([[2.0, 0.0, 11.0]]))
    assert predicted.values == pytest.approx([0.5 - 0.25 + 2.0])
    assert predicted.contributions.sum(axis=1) == pytest.approx(predicted.values)
    # √(1² × 0.01 + 2² × 0.04 + 0.3²)
    assert predicted.deviations == pytest.approx([np.sqrt(0.01 + 0.16 + 0.09)])


def test_a_file_gives_the_same_model_again(tmp_path: Path) -> None:
    model().write(tmp_path / "ours.json")
    stored = read_model(str(tmp_path / "ours.json"))
    assert stored.label.startswith("ours.json@")
    features = np.array([[2.0, 0.0, 11.0]])
    np.testing.assert_allclose(
        stored.model.predict(features).values, model().predict(features).values
    )
    assert stored.model.features == model().features


def test_a_file_of_an_earlier_version_scores_as_it_did(tmp_path: Path) -> None:
    """Its features count within three spreads, and copies are compared with themselves, too."""
    content = model().to_mapping()
    del content["clip"]
    features = {"early-js": 0, "contexts": 1, "overlap": 2}
    own = dict(zip(features, content["features"].values(), strict=True))
    earlier = content | {"format": "gistmark learnt metric 1", "features": own}
    (tmp_path / "ours.json").write_text(json.dumps(earlier))
    stored = read_model(str(tmp_path / "ours.json")).model
    assert [feature.name for feature in stored.features] == [*features]
    assert not stored.rest
    # 5 and 4 spreads above the centre, and none: (3 × 0.5) + (3 × 0.25).
    assert stored.predict(np.array([[6.0, 10.0, 3.0]])).values == pytest.approx([2.25])
    assert stored.to_mapping()["format"] == earlier["format"]
    # The same features now count within five: (5 × 0.5) + (4 × 0.25).
    assert model().predict(np.array([[6.0, 10.0, 3.0]])).values == pytest.approx([3.5])


@pytest.mark.parametrize(("clip", "value"), [(3.0, 2.25), (None, 3.5)])
def test_a_file_says_how_many_spreads_a_feature_counts(
    clip: float | None, value: float, tmp_path: Path
) -> None:
    """A file that does not say so is of the version in which it was five."""
    content = model().to_mapping()
    content["clip"] = clip
    if clip is None:
        del content["clip"]
    (tmp_path / "ours.json").write_text(json.dumps(content))
    stored = read_model(str(tmp_path / "ours.json")).model
    assert stored.predict(np.array([[6.0, 10.0, 3.0]])).values == pytest.approx([value])
    assert stored.to_mapping()["clip"] == (clip or 5.0)


def test_the_groups_are_the_parts_of_a_score() -> None:
    assert GROUPS == CONTRIBUTIONS


@pytest.mark.parametrize("name", ["gistmark-1", "gistmark-1-references"])
def test_the_shipped_weights_are_a_few_kilobytes_and_above_zero(name: str) -> None:
    stored = shipped(name)
    assert (stored.model.fit.weights > 0).all()
    assert len(json.dumps(stored.model.to_mapping())) < 10_000
    assert stored.model.card["sets"]


def damaged(change: dict[str, object]) -> str:
    return json.dumps({**model().to_mapping(), **change})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("not JSON", "is not a file that"),
        ("[]", "is not a file that"),
        ("{}", "KeyError 'format'"),
        (damaged({"format": "other 2"}), "its format is 'other 2'"),
        (damaged({"against": "the moon"}), "against is 'the moon'"),
        (damaged({"clip": 0}), "clip is 0"),
        (damaged({"covariance": [[1]]}), "row of covariances"),
        (damaged({"covariance": [[float("nan")] * 3] * 3}), "not finite"),
        (damaged({"features": {"moon": {"centre": 0, "spread": 1, "weight": 1}}}), "moon"),
        (damaged({"features": {"js": {"centre": 0, "spread": 1}}}), "'weight'"),
    ],
)
def test_a_damaged_file_is_explained_in_a_sentence(
    tmp_path: Path, content: str, message: str
) -> None:
    file = tmp_path / "ours.json"
    file.write_text(content)
    with pytest.raises(UsageError) as caught:
        read_model(str(file))
    assert message in str(caught.value)
    assert str(caught.value).endswith(".")


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(UsageError, match=r"weights: nowhere\.json cannot be read"):
        read_model("nowhere.json")
