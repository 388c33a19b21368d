"""A real third-party distribution works like any other, and so does the one of docs/plugins.md."""

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


def test_a_metric_of_a_plugin_scores_the_sample(started: Run, plugin: Path):
    asked = ("-m", "vowels", "-m", "vowels:y=yes", "-m", "rouge1", "--json")
    done = started("score", gistmark.sample_folder(), *asked, path=plugin)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    result = json.loads(done.stdout)
    assert result["signatures"]["vowels"] == "vowels|v:1.2.3|y:no"
    means = {(s["system"], s["metric"]): s["mean"] for s in result["leaderboard"]}
    careful = [
        s.text for s in gistmark.load(gistmark.sample_folder()).summaries if s.system == "careful"
    ]
    assert means["careful", "vowels"] == pytest.approx(share(careful, "aeiou"))
    assert means["careful", "vowels:y=yes"] == pytest.approx(share(careful, "aeiouy"))


def share(texts: list[str], vowels: str) -> float:
    letters = [[c for c in text.lower() if c.isalpha()] for text in texts]
    return sum(sum(c in vowels for c in each) / len(each) for each in letters) / len(letters)


def test_a_metric_of_a_plugin_is_listed_with_its_origin(command: Run, plugin: Path):
    listed = command("metrics", path=plugin).stdout
    assert (
        "vowels: The share of vowels among the summary's letters, 0 to 1. "
        "(from gistmark-sample-plugin)\n" in listed
    )
    assert "rouge1" in listed
    assert listed.count("(from ") == 2
    (entry,) = json.loads(command("metrics", "vowels", "--json", path=plugin).stdout)
    assert entry["from"] == "gistmark-sample-plugin"
    assert entry["options"] == {
        "y": {"default": "no", "allowed": "yes | no", "help": "count y as a vowel"}
    }


def test_a_wrong_option_of_a_plugin_is_refused_like_any_other(command: Run, plugin: Path):
    done = command("score", gistmark.sample_folder(), "-m", "vowels:z=yes", path=plugin)
    assert done.returncode == 2
    assert done.stderr == "gistmark: There is no option of vowels named 'z'. Known: y.\n"


def test_without_the_plugin_its_metric_is_unknown(command: Run, tmp_path: Path):
    done = command("score", gistmark.sample_folder(), "-m", "vowels", path=tmp_path)
    assert done.returncode == 2
    assert "There is no metric 'vowels'." in done.stderr


STORIES = "Cat sits\nThe cat sat down.\nIt stayed.\n\n\nDog runs\nA dog ran.\n"


def test_a_reader_of_a_plugin_imports_a_file(command: Run, plugin: Path, tmp_path: Path):
    (tmp_path / "stories.txt").write_text(STORIES)
    folder = tmp_path / "corpus"
    done = command("import", "headline", tmp_path / "stories.txt", folder, path=plugin)
    assert done.returncode == 0, done.stderr
    corpus = gistmark.load(folder)
    assert [d.text for d in corpus.documents] == ["The cat sat down.\nIt stayed.", "A dog ran."]
    assert [s.text for s in corpus.summaries if s.reference] == ["Cat sits", "Dog runs"]


def test_a_reader_of_a_plugin_collects_problems_with_their_lines(
    command: Run, plugin: Path, tmp_path: Path
):
    (tmp_path / "stories.txt").write_text("Alone\n\nCat sits\nThe cat sat.\n\nAlone too\n")
    done = command("import", "headline", tmp_path / "stories.txt", tmp_path / "c", path=plugin)
    assert done.returncode == 1
    assert "stories.txt:1: The story has no text." in done.stderr
    assert "stories.txt:6: The story has no text." in done.stderr
    assert not (tmp_path / "c").exists()


def test_a_reader_of_a_plugin_is_among_the_formats(command: Run, plugin: Path):
    shown = command("import", "--help", path=plugin).stdout
    assert "headline" in shown
    assert "each under its headline" in " ".join(shown.split())


def test_a_system_of_a_plugin_is_listed_and_summarises(command: Run, plugin: Path, tmp_path: Path):
    listed = json.loads(command("systems", "--json", path=plugin).stdout)
    sources = {entry["name"]: entry["from"] for entry in listed}
    assert sources["LeadFirst"] == "gistmark"
    assert sources["LastSentence"] == "gistmark-sample-plugin"
    plain = command("systems", path=plugin).stdout
    assert "LastSentence: The last sentences of the document. (from gistmark-sample" in plain
    corpus = tmp_path / "corpus.jsonl"
    corpus.write_text('{"id": "d", "text": "First one. Second one. Third one."}\n')
    asked = ("-s", "LastSentence", "--max-chars", "22", "-o", tmp_path / "new")
    done = command("summarize", corpus, *asked, path=plugin)
    assert (done.returncode, done.stderr) == (0, "")
    (summary,) = gistmark.load(tmp_path / "new").summaries
    assert summary.text == "Second one. Third one."


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


def test_the_coefficient_of_the_documentation_leads_a_study(
    command: Run, documented: Path, tmp_path: Path
):
    whole = gistmark.load(gistmark.sample_folder())
    gistmark.save(whole.only(whole.document_ids[:4]), tmp_path / "corpus")
    asked = ("-m", "rouge1", "--coefficient", "quadrant", "--resamples", "10", "--json")
    done = command("study", tmp_path / "corpus", *asked, path=documented)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["headline"][0]["coefficient"] == "quadrant"
