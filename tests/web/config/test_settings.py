"""The settings: importing them touches nothing, and what is secure is on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from web.serving import TESTS, database

PRINT = """
import json
from django.conf import settings
names = ("DEBUG", "ALLOWED_HOSTS", "CSRF_TRUSTED_ORIGINS", "SESSION_COOKIE_SECURE",
         "CSRF_COOKIE_SECURE", "SESSION_COOKIE_HTTPONLY", "SECURE_SSL_REDIRECT",
         "SECURE_HSTS_SECONDS", "SECRET_KEY", "BEHIND_PROXY")
print(json.dumps({name: getattr(settings, name) for name in names}
      | {"database": str(settings.DATABASES["default"]["NAME"])}))
"""
"""Says what the settings are; apps that are loaded first may read them, too."""
WITH_APPS = f"import django; django.setup()\n{PRINT}"


def settings_with(folder: Path, code: str = PRINT, **variables: str) -> dict:
    kept = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith(("GISTMARK_", "DATABASE_", "DJANGO_"))
    }
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env=kept | {"DJANGO_SETTINGS_MODULE": "gistmark.web.config.settings"} | variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return json.loads(done.stdout)


def test_importing_them_writes_nothing_and_keeps_nothing(tmp_path: Path):
    first, second = (settings_with(tmp_path, code) for code in (WITH_APPS, PRINT))
    assert list(tmp_path.iterdir()) == []
    assert first["database"] == ":memory:"
    assert first["SECRET_KEY"] != second["SECRET_KEY"]
    assert first["DEBUG"] is False
    assert first["SESSION_COOKIE_HTTPONLY"] is True
    assert first["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]


def test_with_a_data_folder_the_key_and_the_database_stay(tmp_path: Path):
    folder = tmp_path / "data"
    first, second = (
        settings_with(tmp_path, code, GISTMARK_DATA=str(folder)) for code in (WITH_APPS, PRINT)
    )
    assert first["SECRET_KEY"] == second["SECRET_KEY"]
    assert Path(first["database"]).parent == folder
    names = sorted(file.name for file in folder.iterdir())
    assert names == ["encryption-key", "gistmark.sqlite3", "secret-key"], "and no password"


@pytest.mark.parametrize("yes", ["yes", "true", "1"])
def test_behind_tls_everything_is_secure(tmp_path: Path, yes: str):
    result = settings_with(tmp_path, GISTMARK_HTTPS=yes, GISTMARK_HOSTS="rate.example.org, .b.org")
    assert result["SESSION_COOKIE_SECURE"]
    assert result["CSRF_COOKIE_SECURE"]
    assert result["SECURE_SSL_REDIRECT"]
    assert result["SECURE_HSTS_SECONDS"] >= 31_536_000
    assert result["ALLOWED_HOSTS"] == ["rate.example.org", ".b.org"]
    assert result["CSRF_TRUSTED_ORIGINS"] == ["https://rate.example.org", "https://*.b.org"]
    assert result["BEHIND_PROXY"]


def test_django_finds_nothing_to_complain_about(db):
    call_command("check", fail_level="WARNING")


def test_no_migration_is_missing(db):
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_several_processes_can_start_on_an_empty_database(tmp_path: Path, kind: str):
    """With few tables; `migrated.py` makes all of them from nothing."""
    code = "from gistmark.web.config.start import start; start()"
    with database(kind, empty=True) as url:
        environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "web.few_tables",
            "GISTMARK_DATA": str(tmp_path),
            "DATABASE_URL": url,
            "PYTHONPATH": os.pathsep.join([str(TESTS), os.environ.get("PYTHONPATH", "")]),
        }
        command = [sys.executable, "-c", code]
        started = [
            subprocess.Popen(command, env=environment, stderr=subprocess.PIPE) for _ in range(2)
        ]
        errors = [process.communicate(timeout=300)[1].decode() for process in started]
    assert [process.returncode for process in started] == [0] * 2, errors
