"""Accounts: made, changed, closed and opened, with an admin always left."""

from __future__ import annotations

import pytest
from django.contrib.auth import authenticate
from django.db import IntegrityError
from hypothesis import given
from hypothesis import strategies as st

from gistmark.errors import UsageError
from gistmark.web.accounts.models import AuditEntry, User
from gistmark.web.accounts.people import (
    NameTakenError,
    activate,
    change_role,
    check_password,
    checked_name,
    create_user,
    deactivate,
    find_user,
    generate_password,
    remove_account,
    rename,
    set_password,
)
from web.factories import PASSWORD, make_user


def test_a_new_user_is_an_annotator_and_the_password_is_hashed(db):
    user = create_user("ada", password=PASSWORD)
    assert user.role == "annotator"
    assert PASSWORD not in user.password
    assert user.check_password(PASSWORD)


def test_without_a_password_nobody_can_log_in_yet(db):
    assert not create_user("ada").has_usable_password()


@pytest.mark.parametrize("again", ["ada", "ADA", " ada "])
def test_a_name_is_taken_in_capital_letters_too(db, again: str):
    create_user("Ada")
    with pytest.raises(UsageError, match="is taken"):
        create_user(again)
    assert User.objects.count() == 1


def test_the_database_itself_refuses_the_same_name_in_capital_letters(db):
    User.objects.create_user("ada")
    with pytest.raises(IntegrityError):
        User.objects.create_user("ADA")


def test_the_database_itself_refuses_a_role_that_is_none(db):
    with pytest.raises(IntegrityError):
        User.objects.create_user("ada", role="chief")


@pytest.mark.parametrize("name", ["", "   ", "li su", "a/b", "<script>", "a\0b", "x" * 151])
def test_what_is_no_name_is_refused_in_a_sentence(name: str):
    with pytest.raises(UsageError, match=r"\.$"):
        checked_name(name)


@given(st.text(max_size=200))
def test_a_name_is_refused_in_a_sentence_or_stays_the_same_when_checked_again(name: str):
    try:
        checked = checked_name(name)
    except UsageError:
        return
    assert checked_name(checked) == checked


@pytest.mark.parametrize(
    ("password", "what"),
    [
        ("short", "too short"),
        ("password123", "too common"),
        ("8301947726451", "entirely numeric"),
        ("adalovelace1", "too similar"),
        ("12345", "too short.*too common.*entirely numeric"),
    ],
)
def test_a_weak_password_is_refused_with_every_reason(password: str, what: str):
    with pytest.raises(UsageError, match=what):
        check_password(password, "adalovelace")


def test_a_generated_password_is_strong_and_never_the_same():
    passwords = {generate_password() for _ in range(50)}
    assert len(passwords) == 50
    for password in passwords:
        check_password(password, "ada")


def test_an_unknown_role_is_refused_with_the_known_ones(db):
    with pytest.raises(UsageError, match="roles are admin, manager, annotator"):
        create_user("ada", role="chief")


def test_roles_change(db):
    user = make_user("annotator")
    change_role(user, "manager")
    assert User.objects.get(pk=user.pk).role == "manager"


def test_the_only_admin_stays_one(db):
    admin = make_user("admin")
    closed = make_user("admin")
    deactivate(closed)
    with pytest.raises(UsageError, match="the only admin"):
        change_role(admin, "manager")
    with pytest.raises(UsageError, match="the only admin"):
        deactivate(admin)
    change_role(admin, "admin")
    result = User.objects.get(pk=admin.pk)
    assert (result.role, result.is_active) == ("admin", True)


def test_one_of_two_admins_may_go(db):
    first = make_user("admin")
    make_user("admin")
    deactivate(first)
    assert not User.objects.get(pk=first.pk).is_active


def test_a_closed_account_opens_again(db):
    user = make_user("annotator")
    deactivate(user)
    activate(user)
    assert User.objects.get(pk=user.pk).is_active


def test_a_weak_new_password_changes_nothing(db):
    user = make_user("annotator")
    with pytest.raises(UsageError):
        set_password(user, "123")
    assert User.objects.get(pk=user.pk).check_password(PASSWORD)


def test_people_are_found_by_name_however_it_is_written(db):
    user = make_user("annotator", "Ada")
    assert find_user("aDa") == user
    for nobody in ("bob", "", "ada\0"):
        with pytest.raises(UsageError, match="no user"):
            find_user(nobody)


def test_a_person_can_be_given_another_name_and_logs_in_with_it(db):
    user = create_user("ada", password=PASSWORD)
    create_user("bob")
    rename(user, "Ada.L")
    assert authenticate(username="ada.l", password=PASSWORD) == user
    assert authenticate(username="ada", password=PASSWORD) is None
    with pytest.raises(NameTakenError):
        rename(user, "BOB")
    assert user.username == "Ada.L"
    create_user("ada")


def test_what_is_done_to_accounts_stands_in_the_audit_trail(admin):
    ada = create_user("ada", by=admin)
    change_role(ada, "manager", by=admin)
    rename(ada, "ada.l", by=admin)
    deactivate(ada, by=admin)
    remove_account(ada, by=admin)
    entries = AuditEntry.objects.filter(by=admin.username).order_by("pk")
    assert [(each.verb, each.name) for each in entries] == [
        ("account-created", "ada"),
        ("role-changed", "ada"),
        ("account-renamed", "ada.l"),
        ("account-closed", "ada.l"),
        ("account-removed", "ada.l"),
    ]
    assert entries[1].about == {"before": "annotator", "role": "manager"}


def test_an_entry_of_the_audit_trail_is_neither_changed_nor_deleted(admin):
    entry = AuditEntry.objects.order_by("pk").last()
    with pytest.raises(AssertionError, match="never changed"):
        entry.save()
    with pytest.raises(AssertionError, match="never deleted"):
        entry.delete()
