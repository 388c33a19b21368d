"""What `import gistmark` and `gistmark --help` cost, and which way imports point."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

import gistmark

ROOT = Path(__file__).parents[1]
LIMIT = 0.3
NEURAL = ("torch", "transformers", "sentence_transformers", "spacy", "huggingface_hub", "gguf")
HEAVY = (
    *NEURAL, "django", "ray", "matplotlib", "numba", "pandas", "pyarrow", "scipy", "polars",
    "datasets", "numpy", "rich",
)  # fmt: skip


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)


def test_the_import_takes_no_time_to_speak_of():
    code = "import time; t = time.perf_counter(); import gistmark; print(time.perf_counter() - t)"
    best = min(float(python("-c", code).stdout) for _ in range(3))
    assert best < LIMIT


def test_the_help_takes_no_time_to_speak_of():
    def seconds(*arguments: str) -> float:
        started = time.perf_counter()
        python(*arguments)
        return time.perf_counter() - started

    bare = min(seconds("-c", "pass") for _ in range(3))
    help_ = min(seconds("-m", "gistmark", "--help") for _ in range(3))
    assert help_ - bare < LIMIT


HELP = """
import sys
from gistmark.cli.main import main
try:
    main(["--help"])
except SystemExit:
    pass
"""


@pytest.mark.parametrize("code", ["import gistmark", HELP], ids=["import", "help"])
def test_nothing_heavy_is_imported(code: str):
    seen = python("-c", f"{code}\nimport sys\nprint('MODULES', *sys.modules)").stdout
    modules = {name.partition(".")[0] for name in seen.rpartition("MODULES ")[2].split()}
    assert "gistmark" in modules
    assert modules.isdisjoint(HEAVY)


DESCRIBE = """
from gistmark.cli.main import main
try:
    main(["metrics", "--json"])
except SystemExit:
    pass
"""
PLAN = """
from gistmark.metrics.catalogue import GROUPS, metrics_from
for metric in metrics_from(list(GROUPS)).values():
    metric.signature
"""
SCORE = "import gistmark; gistmark.score"


@pytest.mark.parametrize("code", [SCORE, DESCRIBE, PLAN], ids=["score", "metrics", "plan"])
def test_nothing_neural_is_imported_before_a_model_is_needed(code: str):
    """Not even to describe a metric on a model, or to write its signature."""
    seen = python("-c", f"{code}\nimport sys\nprint('MODULES', *sys.modules)").stdout
    modules = {name.partition(".")[0] for name in seen.rpartition("MODULES ")[2].split()}
    assert "gistmark" in modules
    assert modules.isdisjoint({*NEURAL, "django", "ray", "matplotlib"})


@pytest.mark.parametrize("name", gistmark.__all__)
def test_every_public_name_resolves(name: str):
    assert getattr(gistmark, name) is not None
    assert name in dir(gistmark)


def test_every_lazy_name_is_public():
    assert set(gistmark._HOME) | {"__version__"} == set(gistmark.__all__)


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'gistmark' has no attribute 'scroe'"):
        _ = gistmark.scroe


def test_imports_point_one_way():
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 broken" in done.stdout
