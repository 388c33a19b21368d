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
LEFT_OUT = (
    "test_upgrade.py",  # upgrades databases of both kinds whichever the others run on
    "test_nothing_lost.py",  # starts servers on both databases whichever the others run on
    "test_access.py",  # who may open what is decided before the database is asked
    "test_campaign_urls.py",  # likewise
    "test_result_urls.py",  # likewise
    "test_directions.py",  # reads the direction of every text on a page
    "test_secrets.py",  # reads every response, which no database changes
    "test_schema.py",  # sends the API what its description allows
    "test_queries.py",  # counts queries, which are as many on any database
    "test_statistics.py",  # computes from an export
    "config/test_settings.py",  # starts processes with databases of their own
)
"""What hangs on no database, or sees to both itself."""


def main(options: list[str]) -> int:
    address = os.environ.get("GISTMARK_POSTGRES") or USUAL
    problem = unreachable(address)
    if problem:
        print(f"SKIPPED: the platform's tests on PostgreSQL: {problem}")
        return 1 if os.environ.get("CI") else 0
    print("The platform's tests on PostgreSQL:")
    folder = Path(__file__).parent
    command = [
        sys.executable, "-m", "pytest", "--quiet", "--dist", "loadfile", folder,
        *(f"--ignore-glob=*/{name}" for name in LEFT_OUT), *options,
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
