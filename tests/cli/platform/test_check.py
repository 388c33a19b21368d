"""`gistmark check`, `gistmark tidy` and dated backups, as somebody types them."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forking import Forks
from web.migrated import copy_to

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def run() -> Iterator[Run]:
    """Run a command as a process of its own, which has imported what all of them need."""
    clean = {name: value for name, value in os.environ.items() if "GISTMARK" not in name}
    for name in ("DATABASE_URL", "DJANGO_SETTINGS_MODULE"):
        clean.pop(name, None)

    def call(
        *words: str, data: Path, folder: Path | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        environment = clean | {"GISTMARK_DATA": str(data)} | variables
        return forks.run("gistmark", *words, env=environment, cwd=folder)

    with Forks(
        "gistmark.cli.main", "django.core.management", "django.db.migrations.executor",
        "django.contrib.auth.hashers", "django.forms", "django.template.loader", "pydantic",
        "numpy", "jinja2", "psycopg", "cryptography.fernet",
    ) as forks:  # fmt: skip
        yield call


@pytest.fixture(scope="module")
def data(run: Run, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("check") / "data"
    copy_to(folder / "gistmark.sqlite3")
    done = run("users", "add", "root", "--role", "admin", "--generate", data=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_what_is_unsafe_is_listed_until_it_is_mended(run, data, tmp_path):
    done = run("check", "--deploy", "--json", data=data)
    assert done.returncode == 1
    found = [each["name"] for each in json.loads(done.stdout)]
    assert found == ["https", "hosts", "backups", "second-factor"]
    made = run("backup", str(tmp_path / "kept"), "--keep", "2", data=data)
    assert made.returncode == 0, made.stderr
    mended = {
        "GISTMARK_HTTPS": "yes",
        "GISTMARK_HOSTS": "rate.example.org",
        "GISTMARK_SECOND_FACTOR": "required",
    }
    done = run("check", "--deploy", data=data, **mended)
    assert (done.returncode, done.stdout) == (0, "Nothing is unsafe.\n")


def test_one_says_what_to_check(run, data):
    done = run("check", data=data)
    assert done.returncode == 2
    assert "--deploy or --running" in done.stderr


def test_nothing_that_answers_is_one_sentence(run, data):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        done = run("check", "--running", "--port", str(port), data=data)
    assert done.returncode == 1
    assert done.stderr.startswith(f"gistmark: Nothing answers on port {port}")


def test_tidying_says_what_it_deleted(run, data):
    deleted = json.loads(run("tidy", "--json", data=data).stdout)
    assert set(deleted.values()) == {0}
    assert "sessions that had ended" in deleted


@pytest.mark.slow
def test_the_commands_of_the_operations_page_run(run, tmp_path):
    page = (Path(__file__).parents[3] / "docs" / "operations.md").read_text(encoding="utf-8")
    lines = [line.split()[2:] for line in page.splitlines() if line.startswith("$ gistmark ")]
    assert len(lines) == 7
    for folder in ("data", "drill"):
        copy_to(tmp_path / folder / "gistmark.sqlite3")
    for words in lines:
        done = run(*words, data=tmp_path / "data", folder=tmp_path)
        assert done.returncode == (1 if "--deploy" in words else 0), (words, done.stderr)
    assert len(list((tmp_path / "backups").iterdir())) == 1
