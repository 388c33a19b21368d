"""`gistmark campaign simulate`: a campaign done by simulated annotators."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from django.core.management import call_command

from gistmark.corpus import load, save
from gistmark.records import Planted
from gistmark.web.campaigns.models import Campaign
from web.factories import make_corpus
from web.migrated import migrated_database

# The server of a simulation has a connection of its own, and numbers decide who gets which task.
pytestmark = pytest.mark.django_db(transaction=True, reset_sequences=True)


def test_a_simulation_does_not_count_the_careless_and_keeps_the_careful(
    run, sample, tmp_path, monkeypatch
):
    whole = load(sample)
    save(whole.only(whole.document_ids[:6]), tmp_path / "sample")
    monkeypatch.setattr("gistmark.corpus.sample_folder", lambda: tmp_path / "sample")
    outcome = run(
        "campaign", "simulate", "-p", "fluency", "--careful", 6, "--noisy", 0,
        "--careless", 6, "--adversarial", 2, "--json", "-o", tmp_path / "export",
    )  # fmt: skip
    assert outcome.status == 0
    (condition,) = load(tmp_path / "export").conditions
    assert (condition.protocol, condition.low, condition.high) == ("fluency", 1, 100)
    report = json.loads(outcome.out)
    assert {each["rejection_rate"] for each in report["conduct"]} == {0.0}
    rates = {each["style"]: each["uncounted_rate"] for each in report["conduct"]}
    # A careful one may take two planted summaries for alike.
    assert rates["careful"] < 0.1
    assert rates["careless"] > 0.3  # three planted summaries are in order one time in six
    assert rates["adversarial"] > 0.1
    assert report["study"]["agreement"]
    campaign = Campaign.objects.get()
    assert campaign.documents.count() == 6
    assert campaign.events.filter(verb="submitted").count() == sum(
        each["submissions"] for each in report["conduct"]
    )


def test_simulated_annotators_keep_every_design(run, tmp_path):
    save(make_corpus(documents=3, systems=3), tmp_path / "corpus")
    settings = {
        "judges": 1, "items_per_task": 3, "one_per_document_and_annotator": True,
        "one_dimension_per_task": True, "several_of_a_document": False,
    }  # fmt: skip
    outcome = run(
        "campaign", "simulate", tmp_path / "corpus", "-p", "pairwise",
        "--settings", json.dumps(settings), "--careful", 18, "--noisy", 0, "--careless", 0,
        "--adversarial", 0, "--json", "-o", tmp_path / "out",
    )  # fmt: skip
    assert outcome.status == 0, outcome.err
    # Three pairs in six dimensions are 18 tasks about the one group of three documents.
    chosen = load(tmp_path / "out").comparisons
    assert len({(each.document, each.annotator) for each in chosen}) == len(chosen) == 3 * 18
    assert len({(each.annotator, each.dimension) for each in chosen}) == 18


def test_a_simulation_on_an_empty_platform_is_the_same_each_time(run, tmp_path):
    save(make_corpus(), tmp_path / "corpus")
    reports = []
    for _ in range(2):
        call_command("flush", interactive=False, verbosity=0)  # numbers begin anew
        outcome = run("campaign", "simulate", tmp_path / "corpus", "-p", "fluency", "--json")
        assert outcome.status == 0, outcome.err
        reports.append(json.loads(outcome.out))
    first, second = (each["conduct"] for each in reports)
    assert first == second
    assert any(each["paid"] for each in first)


ON_A_COPY = """
import os, shutil, sys
from gistmark.cli.main import main
from gistmark.web.config import start

def copy_and_migrate(migrate=start.apply_migrations):
    shutil.copyfile(sys.argv[1], os.environ["GISTMARK_DATA"] + "/gistmark.sqlite3")
    migrate()

start.apply_migrations = copy_and_migrate
main(sys.argv[2:])
"""
"""The command in a process whose new databases have their tables, which takes seconds to make."""


def test_a_simulation_runs_on_a_platform_of_its_own(tmp_path):
    # The careful ones cannot but see which planted summary is which.
    planted = [
        Planted(
            f"The town of {name} has a bridge.",
            f"The town of {name} has bridge.",
            f"Bridge has {name} town the.",
            document=name,
        )
        for name in ("d1", "d2")
    ]
    corpus = replace(make_corpus(), planted=tuple(planted))
    save(corpus, tmp_path / "corpus")
    words = [
        "campaign", "simulate", tmp_path / "corpus", "-p", "fluency", "--noisy", 0,
        "--careless", 0, "--adversarial", 0, "-o", tmp_path / "out",
    ]  # fmt: skip
    settings = {
        "GISTMARK_DATA": str(tmp_path / "data"),
        "DJANGO_SETTINGS_MODULE": "gistmark.web.config.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", ON_A_COPY, migrated_database(), *map(str, words)],
        env=os.environ | settings, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "careful" in done.stdout
    assert not (tmp_path / "data").exists()
    rated = {(each.document, each.system) for each in load(tmp_path / "out").ratings}
    assert rated == {(each.document, each.system) for each in corpus.summaries}


def test_a_simulation_at_an_address_needs_the_data_of_its_server(run, tmp_path):
    outcome = run("campaign", "simulate", "--url", "http://127.0.0.1:1")
    assert (outcome.status, "--url needs --data" in outcome.err) == (2, True)
    odd = run("campaign", "simulate", "--url", "127.0.0.1:1", "--data", tmp_path)
    assert (odd.status, "such as https://" in odd.err) == (2, True)
