"""Plugins: a real third-party distribution, a broken one, and one that takes a name."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gistmark
from gistmark.metrics.catalogue import METRICS

Run = Callable[..., subprocess.CompletedProcess[str]]
BUILT_IN = list(METRICS._builtin)


install = runpy.run_path(str(Path(__file__).parent / "sample_plugin" / "install.py"))["install"]


@pytest.fixture(scope="module")
def plugin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample plugin, installed with pip into a folder of its own."""
    return install(tmp_path_factory.getbasetemp() / "installed-sample-plugin")


@pytest.fixture
def python(tmp_path: Path) -> Run:
    """Run Python with some folders of plugins on its path."""

    def call(*arguments: object, path: Path) -> subprocess.CompletedProcess[str]:
        folders = os.pathsep.join(filter(None, (str(path), os.environ.get("PYTHONPATH"))))
        env = os.environ | {"PYTHONPATH": folders, "GISTMARK_CACHE": str(tmp_path / "cache")}
        command = [sys.executable, *map(str, arguments)]
        return subprocess.run(command, env=env, capture_output=True, text=True, timeout=300)

    return call


@pytest.fixture
def command(python: Run) -> Run:
    """Run gistmark with some folders of plugins on its path."""
    return lambda *arguments, path: python("-m", "gistmark", *arguments, path=path)


def distribution(folder: Path, name: str, entry_points: str, **modules: str) -> Path:
    """Lay down an installed distribution: modules, and the metadata that pip would write."""
    info = folder / f"{name}-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)
    for module, code in modules.items():
        (folder / f"{module}.py").write_text(code)
    return folder


# A plugin as it should be


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


# A plugin that is broken


BROKEN = """
[gistmark.metrics]
broken = broken_plugin:Nothing
gone = no_such_module:Metric
fine = fine_plugin:Fine

[gistmark.systems]
broken = broken_plugin:Nothing

[gistmark.readers]
broken = broken_plugin:Nothing
"""
FINE = """
import numpy as np
from gistmark.metrics import Metric, Values


class Fine(Metric):
    family = "fine"
    about = "Always one."
    needs = frozenset()

    def score(self, batch):
        return Values(np.ones((len(batch), 1)))
"""


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    code = "import package_that_nobody_has\n"
    folder = tmp_path / "broken"
    return distribution(folder, "bad-plugin", BROKEN, broken_plugin=code, fine_plugin=FINE)


REASON = (
    "The {noun} broken of the plugin bad-plugin cannot be loaded from broken_plugin:Nothing: "
    "ModuleNotFoundError: No module named 'package_that_nobody_has'"
)


@pytest.mark.parametrize("arguments", [("metrics", "broken"), ("score", "SAMPLE", "-m", "broken")])
def test_a_broken_plugin_that_is_asked_for_is_one_sentence_that_names_it(
    command: Run, broken: Path, arguments: tuple[str, ...]
):
    sample = str(gistmark.sample_folder())
    done = command(*(sample if a == "SAMPLE" else a for a in arguments), path=broken)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == f"gistmark: {REASON.format(noun='metric')} (--debug shows where).\n"


def test_a_broken_plugin_does_not_disturb_the_others(command: Run, broken: Path):
    sample = gistmark.sample_folder()
    done = command("score", sample, "-m", "rouge1", "-m", "fine", path=broken)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_broken_plugin_is_a_warning_in_the_lists_and_the_rest_is_listed(
    command: Run, broken: Path
):
    done = command("metrics", "--json", path=broken)
    assert done.returncode == 0
    assert [entry["name"] for entry in json.loads(done.stdout)] == [*BUILT_IN, "fine"]
    first, second = done.stderr.splitlines()
    assert first == f"warning: {REASON.format(noun='metric')}"
    assert second.startswith("warning: The metric gone of the plugin bad-plugin cannot be loaded")
    done = command("systems", path=broken)
    assert done.returncode == 0
    assert "LeadFirst: " in done.stdout
    assert done.stderr == f"warning: {REASON.format(noun='system')}\n"
    done = command("import", "--help", path=broken)
    assert done.returncode == 0
    assert "summeval" in done.stdout
    assert "Traceback" not in done.stderr


# A plugin that fails at work


FAILING = """
[gistmark.metrics]
failing = failing_plugin:FailingMetric
unsigned = failing_plugin:Unsigned

[gistmark.systems]
failing = failing_plugin:FailingSystem
mute = failing_plugin:Mute

[gistmark.readers]
failing = failing_plugin:FailingFormat
nothing = failing_plugin:Nothing
"""
FAILING_CODE = """
from gistmark.errors import GistmarkError
from gistmark.metrics import Metric
from gistmark.summarizers import Summarizer


class FailingMetric(Metric):
    family = "failing"
    about = "Fails."
    needs = frozenset()

    def score(self, batch):
        return 1 / 0


class Unsigned(FailingMetric):
    @property
    def signature(self):
        return 1 / 0


class FailingSystem(Summarizer):
    name = "failing"
    about = "Fails."

    def summarize(self, source, limit):
        return 1 / 0


class Mute(FailingSystem):
    def summarize(self, source, limit):
        return None


class FailingFormat:
    name = "failing"
    description = "Fails."

    def read(self, source):
        if source.name == "known":
            raise GistmarkError("The source is known to be bad.")
        source.read_text()
        return 1 / 0

    def write(self, corpus, target):
        return 1 / 0


class Nothing(FailingFormat):
    def read(self, source):
        return None
"""


@pytest.fixture
def failing(tmp_path: Path) -> Path:
    folder = tmp_path / "failing"
    return distribution(folder, "bad-plugin", FAILING, failing_plugin=FAILING_CODE)


ZERO = "of the plugin bad-plugin failed: ZeroDivisionError: division by zero"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            "score SAMPLE -m unsigned",
            "The plugin bad-plugin failed: ZeroDivisionError: division by zero",
        ),
        (
            "summarize SAMPLE -s failing -o new",
            f"The system failing {ZERO}",
        ),
        (
            "summarize SAMPLE -s mute -o new",
            "The system mute of the plugin bad-plugin failed: TypeError: summarize returned "
            "NoneType, not an Outcome",
        ),
        ("import failing FILE new", f"The format failing {ZERO}"),
        (
            "import nothing FILE new",
            "The format nothing of the plugin bad-plugin failed: TypeError: read returned "
            "NoneType, not a Corpus",
        ),
        ("export SAMPLE failing new", f"The format failing {ZERO}"),
    ],
)
def test_an_error_inside_a_plugin_is_one_sentence_that_names_it(
    command: Run, failing: Path, tmp_path: Path, arguments: str, sentence: str
):
    (tmp_path / "file").write_text("x")
    meant = {
        "SAMPLE": gistmark.sample_folder(), "FILE": tmp_path / "file", "new": tmp_path / "new",
    }  # fmt: skip
    words = [meant.get(word, word) for word in arguments.split()]
    done = command(*words, path=failing)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"gistmark: {sentence} (--debug shows where).\n"


@pytest.mark.parametrize("others", [[], ["-m", "rouge1"]])
def test_a_metric_of_a_plugin_that_fails_is_missing_and_ends_with_1(
    command: Run, failing: Path, tmp_path: Path, others: list[str]
):
    asked = ("-m", "failing", *others, "-o", tmp_path / "scores.csv")
    done = command("score", gistmark.sample_folder(), *asked, path=failing)
    assert done.returncode == 1
    told = f"The metric failing {ZERO}"
    assert done.stderr.splitlines() == [
        f"failing: 56 missing ({told})",
        f"gistmark: {told} (--debug shows where).",
    ]
    assert ("careful  0.520" in done.stdout) == bool(others)
    assert told in (tmp_path / "scores.csv").read_text()


def test_what_a_plugin_says_to_the_user_is_said_as_it_is(
    command: Run, failing: Path, tmp_path: Path
):
    done = command("import", "failing", tmp_path / "known", tmp_path / "new", path=failing)
    assert (done.returncode, done.stderr) == (1, "gistmark: The source is known to be bad.\n")
    absent = tmp_path / "absent"
    done = command("import", "failing", absent, tmp_path / "new", path=failing)
    assert done.stderr == f"gistmark: {absent}: No such file or directory\n"


def test_debug_shows_where_a_plugin_failed(command: Run, failing: Path):
    asked = ("score", gistmark.sample_folder(), "-m", "failing")
    done = command("--debug", *asked, path=failing)
    assert done.returncode == 1
    assert "Traceback (most recent call last):\n" in done.stderr
    assert 'failing_plugin.py", line' in done.stderr
    assert done.stderr.endswith(f"{ZERO} (--debug shows where).\n")


def test_a_plugin_that_fails_while_it_is_described_does_not_end_the_list(
    command: Run, failing: Path
):
    done = command("metrics", "--json", path=failing)
    assert done.returncode == 0
    assert [entry["name"] for entry in json.loads(done.stdout)] == [*BUILT_IN, "failing"]
    assert done.stderr == f"warning: The metric unsigned {ZERO}\n"


# The plugin of the documentation


@pytest.fixture(scope="module")
def documented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package that docs/plugins.md tells its readers to write, installed with pip."""
    page = (Path(__file__).parents[1] / "docs" / "plugins.md").read_text(encoding="utf-8")
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


# A plugin that takes a name that is taken


@pytest.fixture
def greedy(tmp_path: Path) -> Path:
    names = "[gistmark.metrics]\nrouge1 = greedy_plugin:Fine\nfine = greedy_plugin:Fine\n"
    return distribution(tmp_path / "greedy", "greedy-plugin", names, greedy_plugin=FINE)


def test_a_plugin_cannot_take_the_name_of_a_metric_of_gistmark(command: Run, greedy: Path):
    warning = (
        "warning: The metric 'rouge1' of greedy_plugin:Fine is ignored: "
        "the name is already taken.\n"
    )
    done = command("metrics", "--json", path=greedy)
    assert done.stderr == warning
    listed: dict[str, Any] = {entry["name"]: entry for entry in json.loads(done.stdout)}
    assert listed["rouge1"]["from"] == "gistmark"
    assert listed["fine"]["from"] == "greedy-plugin"
    asked = ("-m", "rouge1", "-m", "fine", "--json")
    done = command("score", gistmark.sample_folder(), *asked, path=greedy)
    assert done.returncode == 0
    assert done.stderr == warning
    means = {s["metric"]: s["mean"] for s in json.loads(done.stdout)["leaderboard"]}
    assert means["fine"] == 1.0
    assert 0 < means["rouge1"] < 1
