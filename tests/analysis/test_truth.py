"""What a study says is true of data sets whose truth is known: the short form of a benchmark.

`benchmarks/truth.py` counts false sentences over hundreds of data sets of every shape; here a few
data sets of some shapes show that no kind of conclusion is false as a rule, and that every kind of
finding has a shape.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "benchmarks"))

import shapes as shaped  # noqa: E402
import truth  # noqa: E402

if TYPE_CHECKING:
    from shapes import Shape

SETS = 6
SHORT = (
    "equal, 4 systems x 8 documents, 3 annotators",
    "the worst system on easy documents",
    "equal, each system has its own annotator (severity 0.4)",
    "equal, 3 annotators who favour systems (0.3)",
    "9 of 10 ratings are 5, 3 documents",
    "1 to 5, 1 documents",
    "strong systems meet strong ones",
    "a circle: A 85 % > B 80 % > C 80 % > A",
    "rankings in which strong systems meet strong ones",
    "content units and errors, 3 systems x 6 documents",
    "5 metrics of noise, 3 systems x 30 documents",
    "5 metrics of noise, 8 systems x 20 documents",
    "3 of noise on 3 of 40 documents, 1 that follows people on all",
    "3 annotators, 4 systems x 10 documents, effects 0.7",
    "a judge that always says 3, 3 annotators, usual agreement",
    "adaptive, s0 75 % > s1 75 % > s2 65 % > s0",
    "a helper, documents chosen by the metric",
    "a helper, documents at random, which nobody says",
    "3 dimensions, 8 equal systems x 20 documents",
    "one system under two names",
    "a question with three options, 10 documents",
    "acc_eq and SPA of two metrics of noise, 8 systems x 20 documents",
    "acc_eq and SPA of a metric under five names",
    "20 resamples",
    "confidence and weights at random, 8 systems x 5 documents",
    "3 campaigns without a difference, 3 annotators each (severity 0.45)",
    "3 campaigns, one a point higher, the same 5 annotators",
)


def named(name: str) -> Shape:
    return next(shape for shape in shaped.shapes() if shape.name == name)


@pytest.mark.parametrize("name", SHORT)
def test_no_kind_of_sentence_is_false_as_a_rule(name: str):
    rows = truth.counted(named(name), range(SETS))
    assert [row.line() for row in rows.values() if row.kept is False] == []


def kinds_of_findings() -> Iterator[str]:
    """The kinds of all findings that the source makes."""
    for path in (ROOT / "src" / "gistmark" / "analysis").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding":
                yield from (_kind(word.value) for word in node.keywords if word.arg == "kind")


def _kind(value: ast.expr) -> Any:
    assert isinstance(value, ast.Constant), "the kind of a finding stands where it is made"
    return value.value


def test_every_kind_of_finding_has_a_shape_that_could_show_it_false():
    assert {*kinds_of_findings()} == {*truth.FINDINGS}
    read = {kind for shape in shaped.shapes() for kind in shape.kinds}
    assert {*truth.FINDINGS.values()} <= read
    assert read <= {*truth.READERS}


def test_shapes_have_names_of_their_own():
    names = [shape.name for shape in shaped.shapes()]
    assert len(names) == len(set(names))


def test_a_false_sentence_is_noticed():
    row = truth.Row("shape", "systems by ratings", sets=200)
    for number in range(200):
        row.add([truth.Verdict(row.kind, number % 8 > 0)])
    assert row.false_sets == 25
    assert row.kept is False


def test_intervals_that_hold_too_rarely_are_noticed():
    row = truth.Row("shape", "means covered", sets=200)
    for number in range(200):
        row.add([truth.Verdict(row.kind, number % 6 > 0)])
    assert row.kept is False
