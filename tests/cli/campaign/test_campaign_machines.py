"""`gistmark campaign machines`: models take part, and get tokens, without a browser."""

from __future__ import annotations

import json

import pytest

from gistmark.web.accounts.models import AuditEntry
from gistmark.web.accounts.sign_in.credentials import MOST_TOKENS, read_token
from gistmark.web.campaigns.services.machines import machine_called
from judges.server import JudgeServer, running
from web.factories import make_campaign

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_machine_is_added_works_by_its_token_and_is_stopped_by_revoking_it(
    run, live_server, monkeypatch
):
    campaign = make_campaign(judges=1)
    added = run("campaign", "machines", "add", campaign.key, "--model", "tiny", "--name", "judge-1")
    assert (added.status, added.out) == (0, "judge-1\n")
    made = run("campaign", "machines", "token", campaign.key, "judge-1")
    secret = made.out.strip()
    assert (made.status, made.out) == (0, f"{secret}\n")
    assert "shown only now, is valid until" in made.err
    assert secret not in made.err

    monkeypatch.setenv("GISTMARK_MACHINE_TOKEN", secret)
    with running(JudgeServer(quality=lambda text: 0.9)) as server:
        judge = ("campaign", "judge", campaign.key, "--url", live_server.url, "--yes",
                 "--judge-url", server.url, "--judge-model", "tiny")  # fmt: skip
        assert run(*judge, "--tasks", 1).out == "judge-1 submitted 1 task; left: 3.\n"
        (machine,) = json.loads(run("campaign", "machines", "list", campaign.key, "--json").out)
        (token,) = machine["tokens"]
        assert (machine["name"], machine["model"], token["name"]) == (
            "judge-1", "tiny", "made on the command line",
        )  # fmt: skip
        assert token["last_used"]
        revoked = run("campaign", "machines", "revoke", campaign.key, "judge-1", token["number"])
        assert revoked.out == f"Token {token['number']} of judge-1 is revoked.\n"
        assert read_token(secret) is None
        refused = run(*judge)
    assert refused.status != 0
    assert "token" in refused.err
    assert machine_called(campaign, "judge-1").membership.user.submissions.count() == 1


def test_the_list_tells_each_token_by_number_and_never_the_token(run):
    campaign = make_campaign()
    run("campaign", "machines", "add", campaign.key, "--model", "a", "--name", "one",
        "--server", "http://localhost:8000/v1")  # fmt: skip
    run("campaign", "machines", "add", campaign.key, "--model", "b", "--name", "two")
    secrets = [run("campaign", "machines", "token", campaign.key, "one").out.strip()] * 2
    table = run("campaign", "machines", "list", campaign.key).out
    token = machine_called(campaign, "one").membership.user.tokens.get()
    assert f"{token.pk}: made on the command line, until" in table
    assert "never used" in table
    assert "http://localhost:8000/v1" in table
    assert "none" in table
    assert not any(secret in table for secret in secrets)


def test_the_trail_says_that_it_was_done_on_the_command_line(run):
    campaign = make_campaign()
    run("campaign", "machines", "add", campaign.key, "--model", "a", "--name", "one")
    run("campaign", "machines", "token", campaign.key, "one")
    number = machine_called(campaign, "one").membership.user.tokens.get().pk
    run("campaign", "machines", "revoke", campaign.key, "one", number)
    entries = AuditEntry.objects.filter(name="one").order_by("pk").values_list("verb", "by")
    assert list(entries) == [("account-created", ""), ("token-made", ""), ("token-revoked", "")]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("token", "nobody"), "has no machine 'nobody'; it has 'one'."),
        (("revoke", "one", 999_999), "'one' has no such token; it may be revoked already."),
        (("revoke", "one", "x"), "'x' is not a valid integer"),
        (("add", "--model", " "), "The name of a model has 1 to 200 characters."),
        (("add", "--model", "a", "--server", "ftp://x"), "is like http://localhost:8000/v1"),
        (("add", "--model", "a", "--name", "one"), "one"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_sentence(run, command, message):
    campaign = make_campaign()
    run("campaign", "machines", "add", campaign.key, "--model", "a", "--name", "one")
    outcome = run("campaign", "machines", command[0], campaign.key, *command[1:])
    assert outcome.status != 0
    assert message in outcome.err
    assert "Traceback" not in outcome.err


def test_a_machine_has_so_many_tokens_and_no_more(run):
    campaign = make_campaign()
    run("campaign", "machines", "add", campaign.key, "--model", "a", "--name", "one")
    for _ in range(MOST_TOKENS):
        assert run("campaign", "machines", "token", campaign.key, "one").status == 0
    outcome = run("campaign", "machines", "token", campaign.key, "one")
    assert f"'one' has {MOST_TOKENS} tokens; revoke one that is not needed." in outcome.err
