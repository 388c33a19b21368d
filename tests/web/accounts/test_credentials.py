"""Password links and tokens: whom they stand for, and until when."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from gistmark.errors import UsageError
from gistmark.web.accounts.models import Attempt, Link, Token, User
from gistmark.web.accounts.people import change_role, deactivate
from gistmark.web.accounts.sign_in.attempts import note_failure
from gistmark.web.accounts.sign_in.credentials import (
    MOST_TOKENS,
    LinkError,
    make_password_link,
    make_token,
    read_link,
    read_token,
    revoke_token,
    set_password_by_link,
)
from web.factories import make_user

pytestmark = pytest.mark.django_db
TO_PASSWORD = Link.Kind.PASSWORD


def user_of_token(secret: str) -> User | None:
    token = read_token(secret)
    return None if token is None else token.user


def test_a_token_stands_for_its_user_and_its_use_is_noted(annotator):
    made = make_token(annotator, "export")
    assert user_of_token(made.secret) == annotator
    assert Token.objects.get().used_at is not None


def test_the_secret_of_a_token_is_not_stored(annotator):
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


def test_a_password_link_sets_the_password_once(annotator):
    made = make_password_link(by=None, user=annotator)
    note_failure(annotator.username, "192.0.2.1")
    set_password_by_link(made.secret, "another-quiet-stone")
    assert User.objects.get(pk=annotator.pk).check_password("another-quiet-stone")
    assert not Attempt.objects.exists()
    with pytest.raises(LinkError):
        set_password_by_link(made.secret, "a-third-quiet-stone")


def test_a_weak_password_does_not_use_up_the_link(annotator):
    made = make_password_link(by=None, user=annotator)
    with pytest.raises(UsageError):
        set_password_by_link(made.secret, "123")
    assert read_link(made.secret, TO_PASSWORD).user == annotator


def test_a_new_password_link_ends_the_one_before(annotator):
    first = make_password_link(by=None, user=annotator)
    second = make_password_link(by=None, user=annotator)
    with pytest.raises(LinkError):
        read_link(first.secret, TO_PASSWORD)
    assert read_link(second.secret, TO_PASSWORD).user == annotator


def test_a_closed_account_gets_no_password_link_and_keeps_none(annotator):
    made = make_password_link(by=None, user=annotator)
    deactivate(annotator)
    with pytest.raises(LinkError):
        read_link(made.secret, TO_PASSWORD)
    with pytest.raises(UsageError, match="closed"):
        make_password_link(by=None, user=annotator)


def test_the_database_itself_refuses_a_password_link_for_nobody():
    with pytest.raises(IntegrityError), transaction.atomic():
        Link.objects.create(kind=TO_PASSWORD, hash="x", ends_at=timezone.now())


def test_a_token_ends_on_its_day(annotator):
    made = make_token(annotator, "export", days=1)
    Token.objects.update(ends_at=timezone.now())
    assert read_token(made.secret) is None
    with pytest.raises(UsageError, match="1 to 365 days"):
        make_token(annotator, "export", days=366)


def test_a_password_set_by_a_link_ends_all_tokens(annotator):
    token = make_token(annotator, "export")
    set_password_by_link(make_password_link(by=None, user=annotator).secret, "another-quiet-stone")
    assert read_token(token.secret) is None


def test_a_password_link_ends_with_the_right_of_its_maker(admin, annotator):
    maker = make_user("admin")
    made = make_password_link(by=maker, user=admin)
    change_role(maker, "annotator")
    with pytest.raises(LinkError):
        set_password_by_link(made.secret, "another-quiet-stone")
