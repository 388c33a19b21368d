"""The audit trail is append-only by triggers.

An entry can neither be deleted nor changed, but for the names in it while there is a row in
accounts_redaction.
"""

from __future__ import annotations

from django.db import migrations
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


class Migration(migrations.Migration):
    dependencies = [("accounts", "0002_initial")]

    operations = [migrations.RunPython(add_triggers, drop_triggers)]
