"""The private data folder with its keys, the database by DATABASE_URL, and secrets at rest."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from gistmark.errors import GistmarkError, UsageError
from gistmark.web.config.storage.encryption import DecryptionError, decrypt, encrypt
from gistmark.web.config.storage.folder import (
    DATABASE_FILE,
    ENCRYPTION_FILE,
    SECRET_FILE,
    data_folder,
    database,
    database_file,
    encryption_keys,
    new_encryption_key,
    secret_key,
)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_folder_is_made_for_its_owner_alone(tmp_path: Path):
    folder = data_folder(str(tmp_path / "a" / "b"))
    assert folder.is_dir()
    assert mode(folder) == 0o700


def test_a_folder_that_cannot_be_made_is_told_with_the_variable(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(GistmarkError, match="GISTMARK_DATA chooses another"):
        data_folder(str(tmp_path / "file" / "b"))


def test_the_key_is_drawn_once_and_private(tmp_path: Path):
    key = secret_key(tmp_path)
    assert len(key) >= 64
    assert secret_key(tmp_path) == key
    assert mode(tmp_path / SECRET_FILE) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == [SECRET_FILE]


def test_two_folders_have_two_keys(tmp_path: Path):
    keys = {secret_key(data_folder(str(tmp_path / name))) for name in "ab"}
    assert len(keys) == 2


def test_workers_that_start_together_agree_on_one_key(tmp_path: Path):
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(lambda _: secret_key(tmp_path), range(64)))
    assert len(keys) == 1
    assert [each.name for each in tmp_path.iterdir()] == [SECRET_FILE]


@pytest.mark.parametrize("content", [b"", b"short", b"\xff" * 64])
def test_a_spoilt_key_is_told_with_its_file(tmp_path: Path, content: bytes):
    (tmp_path / SECRET_FILE).write_bytes(content)
    with pytest.raises(GistmarkError, match=SECRET_FILE):
        secret_key(tmp_path)


def test_the_encryption_key_is_drawn_once_and_private(tmp_path: Path):
    keys = encryption_keys(None, tmp_path)
    assert encryption_keys(None, tmp_path) == keys
    assert mode(tmp_path / ENCRYPTION_FILE) == 0o600
    later = new_encryption_key()
    (tmp_path / ENCRYPTION_FILE).write_text(f"{later}\n{keys[0]}\n")
    assert encryption_keys(None, tmp_path) == [later, *keys]


def test_the_variable_stands_for_the_file_of_encryption_keys(tmp_path: Path):
    first, second = new_encryption_key(), new_encryption_key()
    assert encryption_keys(f"{first}, {second}", tmp_path) == [first, second]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", [",", "short", "é" * 44, "A" * 43, "A" * 48])
def test_what_is_no_encryption_key_is_told_with_its_origin(tmp_path: Path, text: str):
    with pytest.raises(GistmarkError, match="GISTMARK_ENCRYPTION_KEY does not hold"):
        encryption_keys(text, tmp_path)
    (tmp_path / ENCRYPTION_FILE).write_bytes(b"")
    with pytest.raises(GistmarkError, match=ENCRYPTION_FILE):
        encryption_keys(None, tmp_path)


def test_the_database_file_is_private_and_kept(tmp_path: Path):
    file = Path(database_file(tmp_path))
    assert file.name == DATABASE_FILE
    assert mode(file) == 0o600
    file.write_bytes(b"data")
    database_file(tmp_path)
    assert file.read_bytes() == b"data"


def test_without_an_address_it_is_sqlite_in_the_data_folder(tmp_path: Path):
    result = database(None, tmp_path)
    assert result["ENGINE"].endswith("sqlite3")
    assert Path(result["NAME"]).parent == tmp_path
    assert result["OPTIONS"]["transaction_mode"] == "IMMEDIATE"


def test_without_a_folder_it_is_in_memory():
    assert database(None, None)["NAME"] == ":memory:"
    assert database("", None)["NAME"] == ":memory:"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_an_address_of_postgresql_is_taken_apart(scheme: str):
    result = database(f"{scheme}://ada:p%40ss@db.example:6543/rate%20it?sslmode=require", None)
    assert result["ENGINE"].endswith("postgresql")
    assert (result["USER"], result["PASSWORD"]) == ("ada", "p@ss")
    assert (result["HOST"], result["PORT"], result["NAME"]) == ("db.example", "6543", "rate it")
    assert result["OPTIONS"] == {"sslmode": "require"}


def test_an_address_may_leave_out_what_is_usual():
    result = database("postgres:///rate", None)
    assert (result["USER"], result["HOST"], result["PORT"]) == ("", "", "")


@pytest.mark.parametrize("slashes", ["///", "////"])
def test_sqlite_may_be_elsewhere(slashes: str):
    result = database(f"sqlite:{slashes}srv/my%20data.sqlite3", None)
    assert result["NAME"] == "/srv/my data.sqlite3"


@pytest.mark.parametrize(
    "url", ["mysql://x/y", "postgres://host", "postgres://host:port/name", "nonsense", "http://["]
)
def test_an_address_that_is_none_is_told_so(url: str):
    with pytest.raises(UsageError, match="DATABASE_URL"):
        database(url, None)


def test_a_secret_comes_back_and_looks_different_each_time():
    first, second = encrypt("a market's token"), encrypt("a market's token")
    assert first != second
    assert "token" not in first
    assert decrypt(first) == decrypt(second) == "a market's token"


def test_another_key_reads_nothing_and_says_so(settings):
    stored = encrypt("a market's token")
    settings.ENCRYPTION_KEYS = [new_encryption_key()]
    with pytest.raises(DecryptionError, match="Put the earlier encryption key back"):
        decrypt(stored)


@pytest.mark.parametrize("stored", ["", "plain", "gAAAAA", "é"])
def test_what_was_never_encrypted_is_not_read(stored: str):
    with pytest.raises(DecryptionError):
        decrypt(stored)


def test_after_a_new_first_key_old_secrets_are_read_and_new_ones_use_it(settings):
    stored, later = encrypt("old"), new_encryption_key()
    settings.ENCRYPTION_KEYS = [later, *settings.ENCRYPTION_KEYS]
    assert decrypt(stored) == "old"
    assert Fernet(later).decrypt(encrypt("new").encode()) == b"new"
