from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gistmark.errors import GistmarkError, UsageError
from gistmark.metrics.embedding.bertscore import read_baseline


def written(folder: Path, text: str) -> str:
    file = folder / "en:base.tsv"
    file.write_text(text, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("between", [",", "\t"])
def test_values_are_rescaled_by_the_row_of_their_layer(tmp_path: Path, between: str) -> None:
    """(0.9 - 0.8) / (1 - 0.8) = 0.5; (0.7 - 0.6) / 0.4 = 0.25; (0.25 - 0.5) / 0.5 = -0.5."""
    text = "LAYER,P,R,F\n5,0,0,0\n6,0.8,0.6,0.5\n".replace(",", between)
    baseline = read_baseline(written(tmp_path, text))
    result = baseline.rescaled(np.array([[0.9, 0.7, 0.25]]), 6)
    assert result == pytest.approx(np.array([[0.5, 0.25, -0.5]]))


def test_a_layer_that_the_file_does_not_have_is_an_error(tmp_path: Path) -> None:
    baseline = read_baseline(written(tmp_path, "LAYER,P,R,F\n5,0,0,0\n"))
    with pytest.raises(GistmarkError, match="no row for layer 6"):
        baseline.rescaled(np.zeros((1, 3)), 6)


def test_the_label_tells_the_name_and_the_content(tmp_path: Path) -> None:
    first = read_baseline(written(tmp_path, "LAYER,P,R,F\n5,0,0,0\n")).label
    second = read_baseline(written(tmp_path, "LAYER,P,R,F\n5,0,0,0.1\n")).label
    assert first != second
    assert first.startswith("en:base.tsv@")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "has no rows"),
        ("LAYER,P,R,F\n", "has no rows"),
        ("LAYER,P,R,F\n1,0.5,0.5\n", "line 2 of .* three numbers"),
        ("LAYER,P,R,F\n1,0,0,0\n\nx,0.5,0.5,0.5\n", "line 4 of .* three numbers"),
        ("LAYER,P,R,F\n1,0.5,1.0,0.5\n", "line 2 of .* not from -1 to below 1"),
        ("LAYER,P,R,F\n1,0.5,nan,0.5\n", "line 2 of .* not from -1 to below 1"),
    ],
)
def test_a_file_that_is_no_baseline_is_one_clear_sentence(
    tmp_path: Path, text: str, problem: str
) -> None:
    with pytest.raises(UsageError, match=problem):
        read_baseline(written(tmp_path, text))


def test_a_file_that_is_not_there_is_one_clear_sentence(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="neither no nor a text file"):
        read_baseline(str(tmp_path / "missing.tsv"))
