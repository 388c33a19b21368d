"""`gistmark protocols`: every protocol is listed, and one is described with its settings."""

from __future__ import annotations

import json

from click.testing import CliRunner, Result

from gistmark.cli.protocols import protocols
from gistmark.errors import UsageError
from gistmark.judgements import PROTOCOLS, get_protocol, protocol_from, to_mapping


def call(*arguments: str) -> Result:
    return CliRunner().invoke(protocols, arguments)


def test_every_protocol_is_listed_with_what_it_shows():
    done = call()
    assert done.exit_code == 0
    for name in PROTOCOLS:
        assert f"{name}: {get_protocol(name).about}\n" in done.stdout
    assert "    rating; shows title, reference; 2 judges per item, 1 item per task\n" in done.stdout
    assert "    comparison; shows the summary alone; 7 judges per item, 5 items" in done.stdout


def test_one_protocol_is_described_with_dimensions_scales_and_checks():
    lines = call("likert").stdout.splitlines()
    assert lines[0].startswith("likert: ")
    assert (
        "    scale: points from 1 to 5 (very poor, poor, barely acceptable, good, very good)"
        in lines
    )
    assert sum(line.startswith("    dimension ") for line in lines) == 11
    assert any(line.startswith("    confidence: points from 1 to 5 (guessed,") for line in lines)
    assert "    check straight_line (flag): not all answers of a task may be the same" in lines
    assert not any("check planted" in line for line in lines)


def test_the_budget_of_highlights_is_told():
    assert "    budget: 30 words\n" in call("highlight").stdout


def test_the_json_list_is_all_settings():
    assert json.loads(call("--json").stdout) == [
        to_mapping(get_protocol(name)) for name in PROTOCOLS
    ]


def test_the_json_of_one_protocol_is_a_protocol():
    assert protocol_from(json.loads(call("pairwise", "--json").stdout)) == get_protocol("pairwise")


def test_an_unknown_protocol_is_a_wrong_command():
    error = call("nosuch").exception
    assert isinstance(error, UsageError)
    assert "There is no protocol 'nosuch'. Known: highlight, " in str(error)


def test_the_help_has_an_example():
    assert "Example: gistmark protocols fluency" in call("--help").stdout
