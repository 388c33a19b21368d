"""`gistmark metrics`, `systems` and `protocols`: nothing that exists is left out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import CliRunner, Result

from gistmark.cli.listing import protocols
from gistmark.errors import UsageError
from gistmark.judgements import PROTOCOLS, get_protocol, protocol_from, to_mapping
from gistmark.metrics.catalogue import GROUPS, METRICS, metric_from
from gistmark.models import EMBEDDED
from gistmark.summarizers import GROUPS as SYSTEM_GROUPS
from gistmark.summarizers import SYSTEMS, system_from

Run = Callable[..., Any]


def test_every_metric_and_every_group_is_listed(run: Run):
    done = run("metrics")
    assert done.status == 0
    for name in METRICS:
        assert f"\n{name}: {metric_from(name).about}\n" in f"\n{done.out}"
    groups = done.out.partition("\nGroups:\n")[2]
    for name, members in GROUPS.items():
        if len(members) <= 15:
            assert f"    {name}: {', '.join(members)}\n" in groups
        else:
            told = f"{len(members)} metrics, which `gistmark metrics {name}` lists"
            assert f"    {name}: {told}\n" in groups


def test_a_long_group_is_listed_by_its_name(run: Run):
    listed = json.loads(run("metrics", "emfos40", "--json").out)
    assert [entry["name"] for entry in listed] == list(GROUPS["emfos40"])


def test_the_list_says_what_a_metric_needs_and_which_way_is_better(run: Run):
    lines = run("metrics").out.splitlines()
    after = {line.partition(":")[0]: lines[i + 1] for i, line in enumerate(lines[:-1])}
    assert after["rouge1"] == "    needs references; higher is better"
    assert after["js"] == "    needs documents; lower is better"
    assert after["hrouge1"] == "    needs documents, highlights; higher is better"
    assert after["bertscore"] == (
        "    needs references and the model all-MiniLM-L6-v2; higher is better"
    )
    assert after["blanc-help"] == (
        "    needs documents and the model SmolLM2-135M-Instruct; higher is better"
    )
    assert after["wmd"] == "    needs references and the model glove-6b-50d; lower is better"
    assert after["words"] == "    needs the summary alone; describes, does not judge"


def test_the_json_list_has_every_metric_with_all_its_facts(run: Run):
    listed = json.loads(run("metrics", "--json").out)
    assert [entry["name"] for entry in listed] == list(METRICS)
    for entry in listed:
        made = metric_from(entry["name"])
        assert entry["signature"] == made.signature
        assert entry["about"] == made.about
        assert entry["parts"] == list(made.parts)
        assert entry["needs"] == sorted(made.needs)
        assert entry["better"] == made.better
        assert entry["model"] in (None, *EMBEDDED)
        assert entry["from"] == "gistmark"
        assert all(option["help"] for option in entry["options"].values())


def test_one_metric_is_described_with_its_options_and_signature(run: Run):
    done = run("metrics", "rougeL")
    assert done.status == 0
    assert done.out.startswith("rougeL: ")
    assert "    stem=no (yes | no): compare stems: Porter's in English, else Sn" in done.out
    assert "    refs=max (max | mean | jackknife): " in done.out
    assert f"    signature: {metric_from('rougeL').signature}\n" in done.out
    assert "Groups:" not in done.out


def test_an_option_that_the_name_settles_is_not_offered(run: Run):
    options = json.loads(run("metrics", "rouge2", "--json").out)[0]["options"]
    assert "stem" in options
    assert "n" not in options


def test_a_metric_with_options_is_described_as_set(run: Run):
    done = run("metrics", "rougeL:stem=yes")
    assert "    stem=yes (yes | no)" in done.out
    assert "stem:yes" in done.out


def test_a_group_is_described_metric_by_metric(run: Run):
    listed = json.loads(run("metrics", "rouge", "--json").out)
    assert [entry["name"] for entry in listed] == list(GROUPS["rouge"])


@pytest.mark.parametrize("name", ["nosuch", "rouge11"])
def test_an_unknown_metric_ends_with_2_and_lists_the_known(name: str, run: Run):
    done = run("metrics", name)
    assert done.status == 2
    assert done.out == ""
    assert f"There is no metric {name!r}." in done.err
    assert "Known: rouge1, rouge2," in done.err


def test_every_system_and_every_group_of_systems_is_listed(run: Run):
    done = run("systems")
    assert done.status == 0
    for name in SYSTEMS:
        assert f"{name}: {SYSTEMS.get(name).about}\n" in done.out
    for name, members in SYSTEM_GROUPS.items():
        assert f"    {name}: {', '.join(members)}\n" in done.out.partition("\nGroups:\n")[2]


def test_the_list_says_how_a_system_works(run: Run):
    lines = run("systems").out.splitlines()
    after = {line.partition(":")[0]: lines[i + 1] for i, line in enumerate(lines[:-1])}
    assert after["LeadFirst"] == "    takes sentences as they are"
    assert after["abstractive"] == (
        "    writes its own words; needs the model SmolLM2-135M-Instruct"
    )
    assert after["H1"] == (
        "    takes sentences as they are; can be trained; needs the model glove-6b-50d"
    )


def test_the_json_list_has_every_system_with_all_its_facts(run: Run):
    listed = json.loads(run("systems", "--json").out)
    assert [entry["name"] for entry in listed] == list(SYSTEMS)
    for entry in listed:
        made = system_from(entry["name"])
        assert entry["signature"] == made.signature
        assert entry["about"] == made.about
        assert (entry["extractive"], entry["learns"]) == (made.extractive, made.learns)
        assert set(entry["models"]) <= set(EMBEDDED)
        assert entry["from"] == "gistmark"
        assert all(option["help"] for option in entry["options"].values())


def test_one_system_is_described_with_its_options_and_signature(run: Run):
    done = run("systems", "Random:seed=7")
    assert done.status == 0
    assert "    seed=7: " in done.out
    assert "    signature: Random|v:" in done.out
    assert "Groups:" not in done.out


def test_a_group_is_described_system_by_system(run: Run):
    listed = json.loads(run("systems", "hierarchical", "--json").out)
    assert [entry["name"] for entry in listed] == ["H1", "H2", "H3", "H4", "H5"]


def test_an_unknown_system_ends_with_2_and_lists_the_known(run: Run):
    done = run("systems", "LeadFrist")
    assert (done.status, done.out) == (2, "")
    assert "There is no system 'LeadFrist'. Did you mean 'LeadFirst'? Known: " in done.err


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
    assert any(line.startswith("    wording: own. In words of their own") for line in lines)


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
