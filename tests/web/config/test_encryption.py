"""Secrets at rest: unreadable without the key, and readable through a change of keys."""

from __future__ import annotations

import pytest
from cryptography.fernet import Fernet

from gistmark.web.config.storage.encryption import DecryptionError, decrypt, encrypt
from gistmark.web.config.storage.folder import new_encryption_key


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
