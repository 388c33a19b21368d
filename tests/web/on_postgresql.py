"""Runs the platform's tests that depend on the database again, on PostgreSQL.

Options are passed to pytest, which stops if a file or test that is named here is missing.
conftest.py leaves out tests that use no database.

GISTMARK_POSTGRES is the address of a server and a database whose user may create others; by
default the `test` database of a server on this machine. If no server answers, this says so and
passes, unless CI is set: then it fails.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

USUAL = "postgres://root@127.0.0.1:5432/test"
DEPENDS_ON_THE_DATABASE = (
    # Locks, and work at the same time
    "accounts/test_concurrency.py", "annotate/test_concurrency.py", "crowd/test_concurrency.py",
    "qualification/test_concurrency.py", "annotate/test_claims.py",
    "annotate/test_designs.py", "annotate/test_submissions.py", "annotate/test_decisions.py",
    "annotate/test_many_decisions.py", "annotate/test_pilots.py", "annotate/test_machines.py",
    "annotate/test_adaptive.py::test_rejected_work_and_decisions_are_learnt_anew",
    "annotate/test_adaptive.py::test_a_choice_costs_no_more_queries_in_a_large_campaign",
    "qualification/test_attempts.py", "outbox/test_queue.py", "accounts/test_attempts.py",
    "crowd/test_outcomes.py", "notices/test_webhooks.py", "results/test_prepared.py",
    # Rules that the database keeps, and what becomes of a transaction that broke one
    "accounts/test_audit.py", "accounts/test_people.py", "accounts/test_set_up.py",
    "accounts/test_credentials.py", "accounts/test_second_factor.py",
    "campaigns/test_campaigns.py", "crowd/test_models.py",
    "crowd/prolific/test_hooks.py::test_an_event_that_comes_again_changes_nothing",
    "crowd/prolific/test_hooks.py::test_whatever_a_signed_event_says_there_is_no_server_error",
    "crowd/prolific/test_review.py::"
    "test_a_bonus_is_paid_after_its_total_is_confirmed_and_only_once",
    # Queries that databases answer differently
    "annotate/test_comments.py", "crowd/prolific/test_sync.py", "manage/test_review.py",
    "operations/test_metrics.py", "results/test_exports.py", "results/test_jobs.py",
    "results/test_dashboard.py",
    # Tables that are changed, moved or dropped
    "campaigns/test_archive.py", "config/test_backups.py",
    "config/test_start.py", "privacy/test_erasure.py", "privacy/test_export.py",
    "privacy/test_retention.py",
)  # fmt: skip
"""Whole files, and single tests of files that are mostly about other things.

Pages and the API are tested on SQLite alone; the tests of killed servers cover both databases
themselves.
"""


def main(options: list[str]) -> int:
    address = os.environ.get("GISTMARK_POSTGRES") or USUAL
    problem = unreachable(address)
    if problem:
        print(f"SKIPPED: the platform's tests on PostgreSQL: {problem}")
        return 1 if os.environ.get("CI") else 0
    print("The platform's tests on PostgreSQL:")
    folder = Path(__file__).parent
    command = [
        sys.executable, "-m", "pytest", "--quiet", *options,
        *(f"{folder}/{name}" for name in DEPENDS_ON_THE_DATABASE),
    ]  # fmt: skip
    environment = {**os.environ, "GISTMARK_TEST_DATABASE": address}
    return subprocess.run(command, env=environment, check=False).returncode


def unreachable(address: str) -> str | None:
    """Why the server cannot be used, or None."""
    import psycopg

    try:
        psycopg.connect(address.replace("postgres://", "postgresql://"), connect_timeout=5).close()
    except psycopg.Error as error:
        return str(error).strip().partition("\n")[0]
    return None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
