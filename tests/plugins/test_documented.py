"""The package that docs/plugins.md tells its readers to write."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import gistmark
from plugins.installing import install

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package that docs/plugins.md tells its readers to write, installed with pip."""
    page = (Path(__file__).parents[2] / "docs" / "plugins.md").read_text(encoding="utf-8")
    source = tmp_path_factory.mktemp("documented")
    (project,) = re.findall(r"^```toml\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    files = re.findall(r"^```python\n# (\S+\.py)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (source / "pyproject.toml").write_text(project)
    (source / "my_package").mkdir()
    (source / "my_package" / "__init__.py").touch()
    for path, code in files:
        (source / path).write_text(code)
    return install(source / "installed", source)


def test_the_metric_of_the_documentation_scores(command: Run, documented: Path):
    asked = ("-m", "vowels", "-m", "vowels:y=yes", "--json")
    done = command("score", gistmark.sample_folder(), *asked, path=documented)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["signatures"]["vowels"] == "vowels|v:1.0|y:no"


def test_the_system_of_the_documentation_summarises_what_its_format_has_read(
    command: Run, documented: Path, tmp_path: Path
):
    article, corpus = tmp_path / "article.txt", tmp_path / "my-corpus"
    article.write_text("Cat sits\n\nThe cat sat down. It stayed. Nobody knows why.\n")
    done = command("import", "headline", article, corpus, path=documented)
    assert (done.returncode, done.stderr) == (0, "")
    done = command("summarize", corpus, "-s", "LastSentence", path=documented)
    assert (done.returncode, done.stderr) == (0, "")
    texts = {summary.system: summary.text for summary in gistmark.load(corpus).summaries}
    assert texts == {"headline": "Cat sits", "LastSentence": "Nobody knows why."}
    done = command("score", corpus, "-m", "vowels", path=documented)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_format_of_the_documentation_refuses_a_file_without_text(
    command: Run, documented: Path, tmp_path: Path
):
    article = tmp_path / "article.txt"
    article.write_text("Cat sits\n")
    done = command("import", "headline", article, tmp_path / "c", path=documented)
    assert done.returncode == 1
    assert f"{article}: There is no text after an empty line." in done.stderr


def test_the_protocol_of_the_documentation_is_described(command: Run, documented: Path):
    done = command("protocols", "taste", path=documented)
    assert (done.returncode, done.stderr) == (0, "")
    assert "Say how much you like a summary" in done.stdout
    assert "check too_slow (flag): the work must not take an hour\n" in done.stdout


def test_the_coefficient_of_the_documentation_leads_a_study(command: Run, documented: Path):
    asked = ("-m", "rouge1", "--coefficient", "quadrant", "--resamples", "10", "--json")
    done = command("study", gistmark.sample_folder(), *asked, path=documented)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["headline"][0]["coefficient"] == "quadrant"
