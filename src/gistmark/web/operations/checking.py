"""`gistmark check --deploy`: all checks of an installation, in one list."""

from __future__ import annotations

import os
import time

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from gistmark.web.config.start import pending_migrations
from gistmark.web.operations.installation import Finding, installation_findings, worker_findings
from gistmark.web.operations.stored import migration_findings, stored_findings


def deployment_findings(*, workers: int, backup_days: int) -> list[Finding]:
    """Everything that is unsafe where others use the platform; nothing is changed."""
    folder = settings.DATA_FOLDER
    findings = [*installation_findings(settings, os.environ, folder, now=time.time())]
    findings += worker_findings(workers, settings.DATABASES["default"]["ENGINE"])
    try:
        pending = pending_migrations()
        findings += migration_findings(pending)
        if not pending:
            now = timezone.now()
            findings += stored_findings(settings, folder, now=now, backup_days=backup_days)
    except DatabaseError as error:
        why = str(error).strip().splitlines()[0]
        findings.append(
            Finding(
                "database",
                f"The database cannot be used: {why}.",
                "Without it nobody can do anything.",
                "Look whether it runs, and whether DATABASE_URL is right.",
            )
        )
    return findings
