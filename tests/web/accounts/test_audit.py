"""The audit trail is append-only, in the database itself; an erasure only takes names out."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, connection, transaction

from gistmark.errors import UsageError
from gistmark.web.accounts.audit import note, redacting
from gistmark.web.accounts.models import AuditEntry, Redaction, User
from gistmark.web.accounts.people import activate, change_role
from web.factories import make_user

pytestmark = pytest.mark.django_db


def refused(sql: str) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)
    except IntegrityError as error:
        return "never changed or deleted" in str(error)
    return False


def test_the_database_refuses_to_change_or_delete_an_entry(admin):
    pk = note("logged-in", by=admin, name=admin.username).pk
    assert refused(f"DELETE FROM accounts_auditentry WHERE id = {pk}")
    for change in ("verb = 'x'", "name = 'x'", "by = ''", "about = '{}'"):
        column = change.replace("by", '"by"') if change.startswith("by") else change
        assert refused(f"UPDATE accounts_auditentry SET {column} WHERE id = {pk}")
    assert AuditEntry.objects.get(pk=pk).name == admin.username


def test_a_redaction_takes_names_out_and_nothing_else(admin):
    pk = note("logged-in", by=admin, name=admin.username).pk
    with redacting():
        AuditEntry.objects.filter(pk=pk).update(name="(erased)", by="(erased)", about={})
        assert refused(f"UPDATE accounts_auditentry SET verb = 'x' WHERE id = {pk}")
        assert refused(f"DELETE FROM accounts_auditentry WHERE id = {pk}")
    assert AuditEntry.objects.get(pk=pk).name == "(erased)"
    assert not Redaction.objects.exists()
    assert refused(f"UPDATE accounts_auditentry SET name = 'x' WHERE id = {pk}")


def test_a_redaction_that_fails_permits_nothing_afterwards(admin):
    pk = note("logged-in", by=admin, name=admin.username).pk

    def fail() -> None:
        with redacting():
            AuditEntry.objects.filter(pk=pk).update(name="(erased)")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert AuditEntry.objects.get(pk=pk).name == admin.username
    assert not Redaction.objects.exists()


def test_it_is_kept_until_when_somebody_was_an_admin(admin):
    other = make_user("admin")
    assert other.admin_until is None
    change_role(other, "annotator", by=admin)
    until = User.objects.get(pk=other.pk).admin_until
    assert until is not None
    change_role(other, "manager", by=admin)
    assert User.objects.get(pk=other.pk).admin_until == until


def test_an_account_of_nobody_stays_closed(annotator):
    annotator.erased, annotator.is_active = True, False
    annotator.save()
    with pytest.raises(UsageError, match="was erased"):
        activate(annotator)
