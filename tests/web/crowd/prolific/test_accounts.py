"""Tokens of a market: tried out, stored encrypted, and never to be seen again."""

from __future__ import annotations

import io
from contextlib import redirect_stderr

import pytest
from django.core import serializers

from gistmark.errors import UsageError
from gistmark.web.accounts.models import AuditEntry
from gistmark.web.config.errors import ConflictError, NotAllowedError
from gistmark.web.config.storage.backups import make_backup, restore_backup
from gistmark.web.config.storage.encryption import DecryptionError
from gistmark.web.crowd.models import MarketAccount, MarketSecrets, Recruitment
from gistmark.web.crowd.prolific.accounts import (
    account_of,
    connect,
    disconnect,
    market_for,
    market_of,
)
from gistmark.web.crowd.prolific.client import MarketError
from web.crowd.market import WORKSPACE, Market
from web.factories import make_campaign, make_user

pytestmark = pytest.mark.django_db


def test_a_token_is_stored_encrypted_with_its_workspace_and_currency(served, manager):
    account = connect(manager, f" {served.market.token}\n")
    assert (account.workspace, account.workspace_title, account.currency) == (
        WORKSPACE, "Summaries", "GBP",
    )  # fmt: skip
    assert account.hint == served.market.token[-4:]
    stored = serializers.serialize("json", [account, account.secrets])
    assert served.market.token not in stored
    assert market_of(account_of(manager)).user_id() == "researcher"


@pytest.mark.parametrize("asked", [False, True])
@pytest.mark.django_db(transaction=True)
def test_a_backup_has_the_token_only_where_it_is_asked_for(served, manager, tmp_path, asked):
    connect(manager, served.market.token)
    ciphertext = MarketSecrets.objects.get().token
    make_backup(tmp_path / "b", secrets=asked)
    restore_backup(tmp_path / "b", force=True)
    account = MarketAccount.objects.get()
    if asked:
        assert account.secrets.token == ciphertext
        assert market_of(account).user_id() == "researcher"
        return
    assert ciphertext.encode() not in (tmp_path / "b").read_bytes()
    with pytest.raises(ConflictError, match="has to enter it again"):
        market_of(account)
    connect(manager, served.market.token)
    assert market_of(account).user_id() == "researcher"


def test_a_new_token_takes_the_place_of_the_old_one(served, manager):
    first = connect(manager, served.market.token)
    served.market.token = Market().token
    assert connect(manager, served.market.token).pk == first.pk
    assert MarketAccount.objects.get().hint == served.market.token[-4:]
    entries = AuditEntry.objects.filter(verb="market-connected").order_by("pk")
    assert [each.about["replaced"] for each in entries] == [False, True]


def test_a_token_that_the_market_does_not_know_is_not_stored(served, manager):
    wrong = "wrong" * 10
    with pytest.raises(MarketError, match="does not accept the API token") as raised:
        connect(manager, wrong)
    assert wrong not in str(raised.value)
    with pytest.raises(UsageError, match="at least 20 characters"):
        connect(manager, "short")
    assert not MarketAccount.objects.exists()


def test_the_workspace_is_named_where_there_are_several(served, manager, monkeypatch):
    from gistmark.web.crowd.prolific.calls import Prolific

    monkeypatch.setattr(Prolific, "workspaces", lambda _: {WORKSPACE: "Summaries", "x": "Other"})
    with pytest.raises(UsageError, match="there are: Other, Summaries"):
        connect(manager, served.market.token)
    assert connect(manager, served.market.token, "Summaries").workspace == WORKSPACE


def test_annotators_have_no_access(served, annotator):
    with pytest.raises(NotAllowedError):
        connect(annotator, served.market.token)


def test_who_disconnects_leaves_no_token_behind(served, manager):
    account = connect(manager, served.market.token)
    recruitment = Recruitment.objects.create(
        campaign=make_campaign(owner=manager), market="prolific", account=account
    )
    disconnect(account, manager)
    assert account_of(manager) is None
    recruitment.refresh_from_db()
    with pytest.raises(ConflictError, match="no API token is stored"):
        market_for(recruitment)


def test_without_the_key_the_token_has_to_be_entered_again(served, manager, settings):
    from gistmark.web.config.storage.folder import new_encryption_key

    account = connect(manager, served.market.token)
    settings.ENCRYPTION_KEYS = [new_encryption_key()]
    with pytest.raises(DecryptionError, match="enter the secret again"):
        market_of(account)


def test_nothing_that_is_printed_or_logged_has_the_token(served, manager, caplog):
    printed = io.StringIO()
    with redirect_stderr(printed):
        account = connect(manager, served.market.token)
        served.faults += [(500, {})]
        market_of(account).user_id()
    told = printed.getvalue() + caplog.text + repr(account) + repr(market_of(account))
    assert served.market.token not in told
    assert served.market.token not in str(list(AuditEntry.objects.values()))


@pytest.mark.django_db(transaction=True)
def test_a_backup_has_neither_the_token_nor_the_key(served, tmp_path, settings):
    from gistmark.web.config.storage.backups import make_backup

    manager = make_user("manager")
    connect(manager, served.market.token)
    file = tmp_path / "now.backup"
    make_backup(file)
    data = file.read_bytes()
    assert served.market.token.encode() not in data
    assert settings.ENCRYPTION_KEYS[0].encode() not in data
