"""`gistmark campaign`: a campaign from its making to its results, without a browser."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from django.test import Client

from gistmark.corpus import load, sample_folder, save
from gistmark.web.accounts.people import create_user
from gistmark.web.annotate.models import Task
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.protocols import protocol_of
from web.annotate.answering import done
from web.crowd.arriving import recruiting
from web.crowd.working import batch, worked
from web.factories import make_campaign, make_corpus, make_user
from web.results.working import worked_campaign

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(db):
    return create_user("root", role="admin")


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """The sample without questions and planted summaries."""
    folder = tmp_path / "bare"
    save(replace(load(sample_folder()), questions=(), planted=()), folder)
    return folder


def test_a_campaign_from_beginning_to_end(run, admin, sample):
    made = run("campaign", "new", "News", sample, "-p", "fluency", "--judges", 2)
    campaign = Campaign.objects.get()
    assert made.status == 0
    assert f"gistmark campaign start {campaign.key}" in made.out
    assert (campaign.owner, protocol_of(campaign).judges) == (admin, 2)
    assert "It is ready to start." in run("campaign", "status", "News").out
    started = run("campaign", "start", campaign.key).out.splitlines()
    assert started[0] == "75 items to judge make 30 tasks, with 5 items each."
    assert started[-1] == "News runs with 30 tasks."
    assert run("campaign", "pause", "News").out == "News is paused.\n"
    assert run("campaign", "resume", "News").out == "News runs again.\n"
    assert "open 30, held 0, done 0" in run("campaign", "status", "News").out
    assert run("campaign", "close", "News").out == "News is closed.\n"
    listed = run("campaign", "list").out.splitlines()
    assert listed[1].split() == [campaign.key, "News", "fluency", "closed", "0", "30"]


def test_who_judges_what_is_said_before_the_start(run, admin, tmp_path):
    save(make_corpus(documents=3, systems=3), tmp_path / "corpus")
    settings = {"one_per_document_and_annotator": True, "judges_by_system": {"sys3": 1.5}}
    run(
        "campaign", "new", "DIP", tmp_path / "corpus", "-p", "likert", "--settings",
        json.dumps(settings),
    )  # fmt: skip
    status = json.loads(run("campaign", "status", "DIP", "--json").out)["design"]
    assert (status["tasks"], status["annotators_needed"]) == (3 * 4 * 2 + 5, 10)
    assert status["judges_by_system"]["sys3"] == {"least": 1, "mean": 1.6667, "most": 2}
    said = run("campaign", "start", "DIP").out
    for sentence in status["sentences"]:
        assert sentence in said
    assert "It protects against carry-over" in said
    assert "All tasks need 10 annotators at least." in run("campaign", "status", "DIP").out


def test_a_pilot_is_thrown_away_and_another_one_is_kept(run, admin, sample):
    run("campaign", "new", "News", sample, "-p", "fluency", "--judges", 2)
    started = run("campaign", "pilot", "News", "--annotators", 3, "--tasks", 2)
    assert started.out == "The pilot of News runs with 6 tasks.\n"
    assert "pilot" in run("campaign", "status", "News").out
    discarded = run("campaign", "discard-pilot", "News", "--yes")
    assert discarded.out == "News is a draft again; 0 submissions were thrown away.\n"
    assert "only one that is in its pilot can" in run("campaign", "keep-pilot", "News").err
    run("campaign", "pilot", "News", "--annotators", 1)
    assert run("campaign", "keep-pilot", "News").out == "News runs with 30 tasks.\n"


def test_a_campaign_takes_any_setting_as_json(run, admin, sample, tmp_path):
    settings = tmp_path / "settings.json"
    settings.write_text('{"checks": {"too_fast": "paid"}, "judges": 9}')
    run("campaign", "new", "A", sample, "-p", "overall", "--settings", f"@{settings}")
    assert protocol_of(Campaign.objects.get(name="A")).checks["too_fast"] == "paid"
    run("campaign", "set", "A", '{"judges": 4}', "--name", "B", "--lease-minutes", 7)
    changed = Campaign.objects.get()
    assert (changed.name, changed.lease_minutes, changed.judges) == ("B", 7, 4)
    run("campaign", "set", "B", "--registration", "--completion-codes")
    changed = Campaign.objects.get()
    assert (changed.registration_open, changed.completion_codes) == (True, True)
    run("campaign", "set", "B", "--no-completion-codes")
    assert not Campaign.objects.get().completion_codes
    run("campaign", "new", "C", sample, "-p", "overall", "--completion-codes")
    assert Campaign.objects.get(name="C").completion_codes


def test_what_a_market_forbids_is_warned_of_and_then_refused(run, admin, sample):
    settings = '{"checks": {"too_fast": "reject"}}'
    run("campaign", "new", "A", sample, "-p", "overall", "--settings", settings)
    told = run("campaign", "status", "A")
    assert "note: The check 'too_fast' rejects work, so this campaign cannot recruit" in told.err
    assert len(json.loads(run("campaign", "status", "A", "--json").out)["warnings"]) == 1
    refused = run("campaign", "set", "A", "--completion-codes")
    assert refused.status == 1
    assert "cannot recruit on a crowd market yet. The field 'checks.too_fast' must" in refused.err
    assert not Campaign.objects.get(name="A").completion_codes


def test_a_protocol_goes_out_and_comes_back_as_json(run, admin, sample, tmp_path):
    run("campaign", "new", "A", sample, "-p", "form")
    protocol = json.loads(run("campaign", "protocol", "A").out)
    assert (protocol["kind"], protocol["blocks"]) == ("form", [])
    scale = {"low": 1, "high": 5}
    question = {"type": "likert", "name": "style", "question": "How is it?", "scale": scale}
    blocks = [{"type": "show", "what": "summary"}, question]
    file = tmp_path / "protocol.json"
    file.write_text(json.dumps({**protocol, "blocks": blocks}))
    assert run("campaign", "protocol", "A", "--set", file).out == "The protocol of A is saved.\n"
    assert [each.name for each in protocol_of(Campaign.objects.get()).dimensions] == ["style"]
    file.write_text(json.dumps({**protocol, "judges": 0, "blocks": [{"type": "note"}]}))
    wrong = run("campaign", "protocol", "A", "--set", file)
    assert (wrong.status, wrong.err.count("The field")) == (2, 2)


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (["new", "A", "nowhere", "-p", "overall"], 1, "There is no such file or folder"),
        (["new", "", "SAMPLE", "-p", "overall"], 2, "A campaign needs a name"),
        (["new", "A", "SAMPLE", "-p", "moon"], 2, "There is no protocol 'moon'"),
        (["new", "A", "SAMPLE"], 2, "Missing option"),
        (["new", "A", "SAMPLE", "-p", "overall", "--judges", "0"], 2, "must be at least 1"),
        (["new", "A", "SAMPLE", "-p", "overall", "--settings", "{"], 2, "are not JSON"),
        (["new", "A", "SAMPLE", "-p", "overall", "--settings", "[]"], 2, "must be a JSON object"),
        (["new", "A", "SAMPLE", "-p", "overall", "--settings", "@gone"], 1, "No such file"),
        (["new", "A", "SAMPLE", "-p", "overall", "--owner", "nobody"], 2, "no user 'nobody'"),
        (["start", "Nothing"], 2, "There is no campaign with the key or name 'Nothing'"),
        (["set", "Nothing", "{}"], 2, "There is no campaign"),
    ],
)
def test_wrong_commands_say_what_is_wrong(run, admin, sample, arguments, status, sentence):
    arguments = [str(sample) if each == "SAMPLE" else each for each in arguments]
    outcome = run("campaign", *arguments)
    assert outcome.status == status
    assert sentence in outcome.err
    assert "Traceback" not in outcome.err
    assert not Campaign.objects.exists()


def test_without_an_admin_an_owner_must_be_named(run, sample):
    outcome = run("campaign", "new", "A", sample, "-p", "overall")
    assert outcome.status == 2
    assert "There is no admin yet" in outcome.err
    ada = make_user("manager")
    run("campaign", "new", "A", sample, "-p", "overall", "--owner", ada.username)
    assert Campaign.objects.get().owner == ada


def test_checks_are_generated_listed_approved_and_removed(run, admin, bare):
    run("campaign", "new", "News", bare, "-p", "content-document")
    assert run("campaign", "start", "News").status == 1
    outcome = run("campaign", "generate-checks", "News")
    assert outcome.out == "Made 28 statements and 0 planted triples.\n"
    waiting = json.loads(run("campaign", "checks", "News", "--waiting", "--json").out)
    assert len(waiting) == 28
    first, second = waiting[:2]
    assert "(waits)\n    document: " in run("campaign", "checks", "News").out
    run("campaign", "approve", "News", "question", first["id"])
    run("campaign", "remove", "News", "question", second["id"])
    assert run("campaign", "approve", "News", "--all").out == "Approved: 26.\n"
    assert json.loads(run("campaign", "checks", "News", "--waiting", "--json").out) == []
    status = json.loads(run("campaign", "status", "News", "--json").out)
    assert status["in_the_way"] == []


def test_approving_needs_a_check_or_all(run, admin, sample):
    run("campaign", "new", "News", sample, "-p", "fluency")
    for arguments in ([], ["question", "1", "--all"], ["question"]):
        outcome = run("campaign", "approve", "News", *arguments)
        assert outcome.status == 2
        assert "Name one check" in outcome.err
    outcome = run("campaign", "remove", "News", "planted", 10**6)
    assert outcome.status == 1
    assert "no such planted triple" in outcome.err


def test_people_are_added_all_or_none(run):
    campaign, ann, bob = make_campaign(), make_user(), make_user()
    outcome = run("campaign", "add", campaign.key, ann.username, "nobody")
    assert outcome.status == 2
    assert not campaign.memberships.filter(user=ann).exists()
    run("campaign", "add", campaign.key, ann.username, bob.username)
    assert campaign.memberships.filter(role="annotator").count() == 2


def test_the_export_is_a_corpus_folder_that_study_reads(run, tmp_path):
    people = tuple(make_user() for _ in range(3))
    campaign = make_campaign(annotators=people, corpus=make_corpus(3, 3))
    for number, user in enumerate(people):
        for position in range(4):
            done(campaign, user, value=(number + position) % 5)
    target = tmp_path / "out"
    assert run("campaign", "export", campaign.key, target, "--names").status == 0
    exported = load(target)
    assert len(exported.ratings) == 12
    assert {rating.annotator for rating in exported.ratings} == {u.username for u in people}
    assert run("study", target, "-m", "rouge1", "--resamples", 20).status == 0
    outcome = run("campaign", "export", campaign.key, target)
    assert outcome.status == 2
    assert "--force writes over it" in outcome.err
    assert run("campaign", "export", campaign.key, target, "--force").status == 0
    assert {rating.annotator for rating in load(target).ratings}.isdisjoint(
        user.username for user in people
    )


def test_an_export_never_buries_another_folder(run, tmp_path):
    campaign = make_campaign()
    (tmp_path / "letter.txt").write_text("Dear all")
    outcome = run("campaign", "export", campaign.key, tmp_path, "--force")
    assert outcome.status == 2
    assert (tmp_path / "letter.txt").exists()


def test_bulk_entry_and_its_export_are_those_of_the_thesis_tool(run, admin, tmp_path):
    table = tmp_path / "rows.csv"
    table.write_text('idx,title,gold,bart_summaries\n7,Rain,"It rained, much.",Rain fell.\n')
    assert run("campaign", "bulk-entry", "Thesis", table).status == 0
    run("campaign", "start", "Thesis")
    assert Task.objects.count() == 2  # two reviewers for the only summary
    given = run("tasks", "bulk-allocate", "Thesis", "eva", 1)
    assert "Password of eva (shown only now): " in given.out
    campaign = Campaign.objects.get()
    done(campaign, campaign.memberships.get(role="annotator").user, value=4)
    run("tasks", "bulk-allocate", "Thesis", "max", 1)
    target = tmp_path / "out.csv"
    run(
        "campaign",
        "export",
        "Thesis",
        target,
        "--format",
        "thesis",
        "--names",
        "--undecided",
        "count",
    )
    assert target.read_text().splitlines() == [
        "summaryID,candidate,gold,title,grammatical_correctness,arrangement,quality,conciseness,"
        "exhaustiveness,subjectiveScore,done,annotator",
        '7,Rain fell.,"It rained, much.",Rain,4,4,4,4,4,4,true,eva',
        '7,Rain fell.,"It rained, much.",Rain,,,,,,,false,max',
    ]


def test_a_bulk_entry_that_is_wrong_shows_every_problem(run, admin, tmp_path):
    table = tmp_path / "rows.csv"
    table.write_text("idx,title,gold,summary\n1,T,g,s\n,T,g,s\n1,T,g,other\n")
    outcome = run("campaign", "bulk-entry", "Thesis", table)
    assert outcome.status == 1
    assert "rows.csv:3: The column 'idx' is empty." in outcome.err
    assert "rows.csv:4: There is already a summary" in outcome.err


def test_approvals_fill_in_the_file_of_a_market(run, tmp_path):
    made = worked()
    source, target = tmp_path / "batch.csv", tmp_path / "approved.csv"
    source.write_bytes(batch(*(code.lower() for code in made.codes.values()), "ODD"))
    outcome = run("campaign", "approvals", made.campaign.key, source, target)
    assert outcome.status == 0, outcome.err
    assert outcome.out.splitlines() == [
        f"Wrote {target}. Approved 2, rejected 2, undecided 3.",
        "Row 3: The work is flagged and waits for a manager's decision.",
        "Row 5: The work came late and waits for a manager's decision.",
        "Row 8: The code ODD is not one of this campaign.",
    ]
    good, rejected = made.codes["good"].lower(), made.codes["rejected"].lower()
    lines = target.read_text().splitlines()
    assert lines[:2] == [
        '"AssignmentId","Answer.surveycode","Approve","Reject"',
        f'"A1","{good}","x",""',
    ]
    assert lines[6] == f'"A6","{rejected}","","\'=The text was not read."'
    again = run("campaign", "approvals", made.campaign.key, source, target)
    assert (again.status, "--force writes over it" in again.err) == (2, True)
    assert run("campaign", "approvals", made.campaign.key, source, target, "--force").status == 0


def test_the_participants_of_a_market_are_reconciled(run, tmp_path):
    recruitment = recruiting(market="generic")
    query = {"participant": "alice", "study": "s", "session": "v"}
    assert Client().get(f"/crowd/{recruitment.key}/", query).status_code == 302
    key, source, target = recruitment.campaign.key, tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_text("id\nalice\nbob\n")
    outcome = run("campaign", "reconcile", key, source, target)
    assert outcome.out.splitlines()[1:] == ["Row 3: nobody with this id has arrived here."]
    assert target.read_text().splitlines()[1] == '"alice","","","","",""'
    recruiting(recruitment.campaign, market="connect")
    outcome = run("campaign", "reconcile", key, source, target, "--force")
    assert (outcome.status, "Name one of the recruitments" in outcome.err) == (2, True)
    chosen = run(
        "campaign", "reconcile", key, source, target, "--force", "--study", recruitment.key
    )
    assert chosen.status == 0


def test_participants_are_exported_on_request_only(run, tmp_path):
    recruitment = recruiting(market="generic")
    query = {"participant": "alice", "study": "s", "session": "v"}
    assert Client().get(f"/crowd/{recruitment.key}/", query).status_code == 302
    key = recruitment.campaign.key
    assert run("campaign", "export", key, tmp_path / "plain").status == 0
    assert not (tmp_path / "plain" / "participants.csv").exists()
    assert run("campaign", "export", key, tmp_path / "all", "--participants").status == 0
    assert "generic,alice,,v," in (tmp_path / "all" / "participants.csv").read_text()
    refused = run("campaign", "export", key, tmp_path / "x", "--format", "csv", "--participants")
    assert (refused.status, "needs a folder" in refused.err) == (2, True)
    assert recruitment.campaign.events.filter(verb="exported").count() == 1


def test_approvals_of_a_bad_file_write_nothing(run, tmp_path):
    campaign, target = worked().campaign, tmp_path / "approved.csv"
    source = tmp_path / "batch.csv"
    outcome = run("campaign", "approvals", campaign.key, source, target)
    assert (outcome.status, "No such file" in outcome.err) == (1, True)
    source.write_text("A,B\n1,2\n")
    outcome = run("campaign", "approvals", campaign.key, source, target)
    assert (outcome.status, len(outcome.err.splitlines())) == (1, 1)
    assert "has no column 'Answer.surveycode'" in outcome.err
    run("campaign", "set", campaign.key, "--no-completion-codes")
    outcome = run("campaign", "approvals", campaign.key, source, target)
    assert (outcome.status, "gives no completion codes" in outcome.err) == (1, True)
    assert not target.exists()


@pytest.mark.parametrize(
    "verb",
    ["new", "bulk-entry", "set", "protocol", "add", "list", "status", "start", "pilot",
     "keep-pilot", "discard-pilot", "pause", "resume", "close",
     "generate-checks", "checks", "approve", "remove", "export", "approvals",
     "reconcile", "simulate", "judge"],
)  # fmt: skip
def test_every_verb_has_help_with_an_example(run, verb):
    outcome = run("campaign", verb, "--help")
    assert outcome.status == 0
    assert re.search(rf"Examples?:\s+gistmark campaign {verb}\b", outcome.out)


def test_content_units_are_merged_as_proposed_and_the_second_stage_is_made(run, admin):
    campaign = worked_campaign("content-units", annotators=2, name="Units")
    listed = run("campaign", "units", "Units", "--json")
    assert json.loads(listed.out)[0] == {
        "document": "d1", "annotators": 2, "written": 2, "merged": 0,
    }  # fmt: skip
    done = run("campaign", "units", "Units", "--merge", "--second-stage", "Marks")
    assert done.err == "Merged the units of 2 documents as proposed.\n"
    stage = Campaign.objects.get(name="Marks")
    assert f"Marks has the key {stage.key}." in done.out
    assert stage.owner == campaign.owner
