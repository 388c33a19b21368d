"""A plugin that cannot be loaded, or takes a name that is taken, and does not disturb the rest."""

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
