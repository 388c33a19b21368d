"""The audit trail is append-only by triggers; who was an admin; accounts of people who are erased.

An entry can neither be deleted nor changed, but for the names in it while there is a row in
accounts_redaction.
"""

from __future__ import annotations

from datetime import datetime

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

SQLITE = [
    """
    CREATE TRIGGER gistmark_audit_is_not_changed BEFORE UPDATE ON accounts_auditentry
    WHEN NEW.id IS NOT OLD.id OR NEW.at IS NOT OLD.at OR NEW.verb IS NOT OLD.verb
        OR NOT EXISTS (SELECT 1 FROM accounts_redaction)
    BEGIN SELECT RAISE(ABORT, 'entries of the audit trail are never changed or deleted'); END
    """,
    """
    CREATE TRIGGER gistmark_audit_is_not_deleted BEFORE DELETE ON accounts_auditentry
    BEGIN SELECT RAISE(ABORT, 'entries of the audit trail are never changed or deleted'); END
    """,
]
POSTGRES = [
    """
    CREATE FUNCTION gistmark_keep_audit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP = 'UPDATE' THEN
            IF NEW.id = OLD.id AND NEW.at = OLD.at AND NEW.verb = OLD.verb
                AND EXISTS (SELECT 1 FROM accounts_redaction)
            THEN
                RETURN NEW;
            END IF;
        END IF;
        RAISE EXCEPTION 'entries of the audit trail are never changed or deleted' USING ERRCODE = 'integrity_constraint_violation';
    END
    $$
    """,
    """
    CREATE TRIGGER gistmark_audit_is_kept BEFORE UPDATE OR DELETE ON accounts_auditentry
    FOR EACH ROW EXECUTE FUNCTION gistmark_keep_audit()
    """,
]


def add_triggers(_: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    for statement in POSTGRES if editor.connection.vendor == "postgresql" else SQLITE:
        editor.execute(statement)


def drop_triggers(_: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute("DROP FUNCTION gistmark_keep_audit() CASCADE")
        return
    for name in ("gistmark_audit_is_not_changed", "gistmark_audit_is_not_deleted"):
        editor.execute(f"DROP TRIGGER {name}")


def mark_former_admins(apps: StateApps, _: BaseDatabaseSchemaEditor) -> None:
    """By what the audit trail says; names are followed through renaming."""
    until: dict[str, datetime] = {}
    entries = apps.get_model("accounts", "AuditEntry").objects.order_by("id")
    for entry in entries.filter(verb__in=["role-changed", "account-renamed"]).iterator():
        before = entry.about.get("before")
        if entry.verb == "role-changed" and before == "admin":
            until[entry.name] = entry.at
        elif entry.verb == "account-renamed" and before in until:
            until[entry.name] = until.pop(before)
    users = apps.get_model("accounts", "User").objects
    for name, at in until.items():
        users.filter(username=name).update(admin_until=at)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0006_second_factor")]

    operations = [
        migrations.AddField(
            "user", "admin_until", models.DateTimeField(blank=True, editable=False, null=True)
        ),
        migrations.AddField("user", "erased", models.BooleanField(default=False, editable=False)),
        migrations.CreateModel(
            "Redaction",
            [
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                )
            ],
        ),
        migrations.RunPython(mark_former_admins, migrations.RunPython.noop),
        migrations.RunPython(add_triggers, drop_triggers),
    ]
