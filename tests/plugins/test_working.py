"""A real third-party distribution: its metric, reader and system are used like any other."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import gistmark

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_metric_of_a_plugin_scores_the_sample(command: Run, plugin: Path):
    asked = ("-m", "vowels", "-m", "vowels:y=yes", "-m", "rouge1", "--json")
    done = command("score", gistmark.sample_folder(), *asked, path=plugin)
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


def test_a_system_of_a_plugin_is_listed_and_summarises(command: Run, python: Run, plugin: Path):
    listed = json.loads(command("systems", "--json", path=plugin).stdout)
    sources = {entry["name"]: entry["from"] for entry in listed}
    assert sources["LeadFirst"] == "gistmark"
    assert sources["LastSentence"] == "gistmark-sample-plugin"
    plain = command("systems", path=plugin).stdout
    assert "LastSentence: The last sentences of the document. (from gistmark-sample" in plain
    code = (
        "from gistmark.records import Document\n"
        "from gistmark.summarizers import Limit, Source, system_from\n"
        "source = Source(Document('d', ('First one. Second one. Third one.',)))\n"
        "print(system_from('LastSentence').summarize(source, Limit(sentences=2)).text)\n"
    )
    assert python("-c", code, path=plugin).stdout == "Second one. Third one.\n"
