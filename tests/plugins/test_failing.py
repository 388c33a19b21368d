"""A plugin that fails at work is named in one sentence."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import gistmark
from plugins.installing import BUILT_IN, distribution

Run = Callable[..., subprocess.CompletedProcess[str]]
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
