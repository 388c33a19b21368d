"""Runs the platform's tests that hang on the database once more, on PostgreSQL.

Options are passed to pytest. Tests that use no database are left out by conftest.py.

GISTMARK_POSTGRES is the address of a server and a database whose user may create others; by
default the one that a Debian machine has on this host. Where no server answers, this says so and
passes, but not where CI is set.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

USUAL = "postgres://root@127.0.0.1:5432/test"
OF_PAGES = (
    "test_access.py", "test_*urls.py", "test_pages.py", "test_views.py", "accounts/views",
    "web/api", "manage/test_approvals.py", "manage/test_design.py", "manage/test_fewer.py",
    "manage/test_helping.py", "manage/test_invitations.py", "manage/test_notices.py",
    "manage/test_people.py", "manage/test_pilots.py", "manage/test_planning.py",
    "manage/test_practice.py", "manage/test_previews.py", "manage/test_sets.py",
    "manage/test_settings.py", "manage/test_texts.py", "test_directions.py", "test_secrets.py",
    "test_queries.py",
)  # fmt: skip
"""Who may open what, and what pages and the API say: the services behind them are tested here."""
OF_OTHER_THINGS = (
    "test_catalogues.py", "test_statistics.py", "test_languages.py", "test_bodies.py",
    "test_totp.py", "test_codes.py", "config/test_deadlines.py", "config/test_encryption.py",
    "config/test_errors.py", "config/test_outgoing.py", "config/test_provider.py",
    "config/test_server.py", "config/test_storage.py", "config/test_style.py",
    "operations/test_checking.py", "operations/test_deploy_files.py", "operations/test_logs.py",
    "notices/test_mails.py", "outbox/test_mail.py", "privacy/test_files.py",
    "privacy/test_words.py", "crowd/test_markets.py", "crowd/test_sheets.py",
    "prolific/test_client.py", "prolific/test_filters.py", "prolific/test_pay.py",
)  # fmt: skip
"""Files, texts, clocks, other servers and arithmetic."""
OF_BOTH = ("test_upgrade.py", "test_nothing_lost.py", "config/test_settings.py")
"""What sees to both databases itself."""


def main(options: list[str]) -> int:
    address = os.environ.get("GISTMARK_POSTGRES") or USUAL
    problem = unreachable(address)
    if problem:
        print(f"SKIPPED: the platform's tests on PostgreSQL: {problem}")
        return 1 if os.environ.get("CI") else 0
    print("The platform's tests on PostgreSQL:")
    folder = Path(__file__).parent
    left_out = (*OF_PAGES, *OF_OTHER_THINGS, *OF_BOTH)
    command = [
        sys.executable, "-m", "pytest", "--quiet", "--dist", "loadfile", folder,
        *(f"--ignore-glob=*/{name}" for name in left_out), *options,
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
