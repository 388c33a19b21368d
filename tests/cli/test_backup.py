"""`gistmark backup` and `gistmark restore`, as processes of their own on a data folder."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gistmark.cli.backup import backup, restore

SCRIPT = """
import sys
from gistmark.errors import GistmarkError
from gistmark.cli.backup import backup, restore
from gistmark.cli.users import users
verb = {"backup": backup, "restore": restore, "users": users}[sys.argv[1]]
try:
    verb.main(sys.argv[2:], standalone_mode=False)
except GistmarkError as error:
    sys.exit(str(error))
"""


def call(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("GISTMARK_", "DATABASE_", "DJANGO_"))
    }
    return subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments],
        cwd=folder, env=kept, capture_output=True, text=True, timeout=120,
    )  # fmt: skip


def test_a_backup_moves_a_platform_to_another_folder(tmp_path: Path):
    assert call(tmp_path, "users", "add", "ada", "--generate", "--data", "one").returncode == 0
    made = call(tmp_path, "backup", "x.backup", "--data", "one")
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith("Backup: x.backup (")
    restored = call(tmp_path, "restore", "x.backup", "--data", "two")
    assert restored.stdout == "Restored: x.backup\n", restored.stderr
    assert "\nada " in call(tmp_path, "users", "list", "--data", "two").stdout
    refused = call(tmp_path, "restore", "x.backup", "--data", "two")
    assert refused.returncode == 1
    assert refused.stderr.strip().endswith("--force puts the backup in its place.")
    assert call(tmp_path, "restore", "x.backup", "--data", "two", "--force").returncode == 0


def test_a_file_that_is_not_there_is_named(db):
    with pytest.raises(FileNotFoundError, match="missing"):
        CliRunner().invoke(restore, ["missing.backup"], catch_exceptions=False)


@pytest.mark.parametrize("command", [backup, restore])
def test_help_has_an_example(command):
    done = CliRunner().invoke(command, ["--help"])
    assert done.exit_code == 0
    assert f"Example: gistmark {command.name}" in done.stdout
