"""A plugin that fails at work, cannot be loaded or takes a name that is taken is named; the rest
runs.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gistmark
from plugins.installing import BUILT_IN, FINE, distribution

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
