"""Tokens of the API stand for their user until they are revoked."""

from __future__ import annotations

import pytest

from gistmark.errors import UsageError
from gistmark.web.accounts.credentials import (
    MOST_TOKENS,
    make_token,
    revoke_token,
    user_of_token,
)
from gistmark.web.accounts.models import Token
from gistmark.web.accounts.people import deactivate
from web.factories import make_user


def test_a_token_stands_for_its_user_and_its_use_is_noted(annotator):
    made = make_token(annotator, "export")
    assert user_of_token(made.secret) == annotator
    assert Token.objects.get().used_at is not None


def test_the_secret_is_not_stored(annotator):
    made = make_token(annotator, "export")
    stored = Token.objects.values().get()
    assert made.secret not in str(stored)


@pytest.mark.parametrize("forged", ["", "gm_", "gm_" + "x" * 43, "\0", "é"])
def test_a_forged_token_stands_for_nobody(annotator, forged: str):
    make_token(annotator, "export")
    assert user_of_token(forged) is None


def test_the_hash_in_the_database_is_no_token(annotator):
    made = make_token(annotator, "export")
    assert user_of_token(made.token.hash) is None


def test_a_revoked_token_stands_for_nobody(annotator):
    made = make_token(annotator, "export")
    revoke_token(annotator, made.token.pk)
    assert user_of_token(made.secret) is None


def test_nobody_revokes_somebody_elses_token(annotator, manager):
    made = make_token(annotator, "export")
    revoke_token(manager, made.token.pk)
    assert user_of_token(made.secret) == annotator


def test_the_token_of_a_closed_account_stands_for_nobody(annotator):
    made = make_token(annotator, "export")
    deactivate(annotator)
    assert user_of_token(made.secret) is None


def test_using_a_token_often_writes_once_a_minute(annotator, django_assert_num_queries):
    made = make_token(annotator, "export")
    user_of_token(made.secret)
    with django_assert_num_queries(1):
        user_of_token(made.secret)


@pytest.mark.parametrize("name", ["", "  ", "x" * 101])
def test_a_token_needs_a_name(annotator, name: str):
    with pytest.raises(UsageError, match="1 to 100"):
        make_token(annotator, name)


def test_nobody_hoards_tokens(db):
    user = make_user()
    for number in range(MOST_TOKENS):
        make_token(user, f"token {number}")
    with pytest.raises(UsageError, match="revoke one"):
        make_token(user, "one more")
