"""What `import gistmark` and `gistmark --help` import, and what they leave for later."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

import gistmark
from gistmark import judgements

MOST_MODULES = 250
"""The help of the command line takes about 130; pandas alone brings several hundred."""
NEURAL = ("torch", "transformers", "sentence_transformers", "spacy", "huggingface_hub", "gguf")
HEAVY = (
    *NEURAL, "django", "ray", "matplotlib", "numba", "pandas", "pyarrow", "scipy", "polars",
    "datasets", "numpy", "rich", "httpx",
)  # fmt: skip


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)


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
    names = seen.rpartition("MODULES ")[2].split()
    modules = {name.partition(".")[0] for name in names}
    assert "gistmark" in modules
    assert modules.isdisjoint(HEAVY)
    assert len(names) < MOST_MODULES


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


@pytest.mark.parametrize(
    ("code", "needed"),
    [(SCORE, set()), (DESCRIBE, set()), (PLAN, {"huggingface_hub"})],
    ids=["score", "metrics", "plan"],
)
def test_nothing_neural_is_imported_before_a_model_is_needed(code: str, needed: set[str]):
    """Not even to describe a metric on a model; its signature looks the model up in the cache."""
    seen = python("-c", f"{code}\nimport sys\nprint('MODULES', *sys.modules)").stdout
    modules = {name.partition(".")[0] for name in seen.rpartition("MODULES ")[2].split()}
    assert "gistmark" in modules
    assert modules.isdisjoint({*NEURAL, "django", "ray", "matplotlib"} - needed)


WORDS = """
from gistmark.cli.main import main
from gistmark.corpus import sample_folder
try:
    main(["score", str(sample_folder()), "-m", "rouge1", "--no-cache"])
except SystemExit:
    pass
"""


def test_scoring_words_needs_no_statistics():
    seen = python("-c", f"{WORDS}\nimport sys\nprint('MODULES', *sys.modules)").stdout
    modules = seen.rpartition("MODULES ")[2].split()
    assert "gistmark.scoring.run" in modules
    assert not {"gistmark.report", "gistmark.analysis", "scipy.stats", "torch"} & set(modules)


@pytest.mark.parametrize("package", [gistmark, judgements], ids=["gistmark", "judgements"])
def test_every_public_name_resolves(package: ModuleType):
    assert len(package.__all__) > 10
    for name in package.__all__:
        assert getattr(package, name) is not None
        assert name in dir(package)


@pytest.mark.parametrize("package", ["gistmark", "gistmark.judgements"])
def test_a_package_imports_nothing_of_its_own_before_a_name_is_used(package: str):
    code = f"import {package}, sys\nprint(*(name for name in sys.modules if 'gistmark' in name))"
    lazy = {"gistmark", "gistmark._version", "gistmark.runtime", "gistmark.runtime.lazy"}
    assert set(python("-c", code).stdout.split()) == lazy | {package}


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'gistmark' has no attribute 'scroe'"):
        _ = gistmark.scroe
