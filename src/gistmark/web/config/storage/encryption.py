"""Secrets that the platform itself has to use, encrypted with a key outside the database.

A password or a link is stored as a hash; the token of a market or the secret of a second factor has
to be read again, so it is stored encrypted (Fernet: AES-128-CBC with HMAC-SHA256). The key stands
in GISTMARK_ENCRYPTION_KEY, or in the file `encryption-key` of the data folder; a backup of the
database has neither. There may be several keys, one on each line of the file or separated by commas
in the variable: the first encrypts, all of them decrypt. To change the key, put a new one first and
run `gistmark encryption rotate`.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models, transaction

from gistmark.errors import GistmarkError

if TYPE_CHECKING:
    from cryptography.fernet import MultiFernet

    _TextField = models.TextField[str, str]
else:
    _TextField = models.TextField


class DecryptionError(GistmarkError):
    """What is stored cannot be read with any key that is here."""

    def __init__(self) -> None:
        super().__init__(
            "A stored secret cannot be read: it was encrypted with another key. Put the earlier "
            "encryption key back, or enter the secret again."
        )


class EncryptedField(_TextField):
    """A column of text that holds what `encrypt` returned; it is never decrypted by itself."""


def encrypt(secret: str) -> str:
    """What may be stored of a secret; the same secret looks different each time."""
    return _fernet(tuple(settings.ENCRYPTION_KEYS)).encrypt(secret.encode()).decode("ascii")


def decrypt(stored: str) -> str:
    """The secret again, or `DecryptionError`."""
    from cryptography.fernet import InvalidToken

    try:
        return _fernet(tuple(settings.ENCRYPTION_KEYS)).decrypt(stored.encode()).decode()
    except InvalidToken:
        raise DecryptionError from None


@transaction.atomic
def rotate() -> int:
    """Encrypt every stored secret anew with the first key; tells how many there were."""
    from django.apps import apps

    count = 0
    for model in apps.get_models():
        names = [field.name for field in model._meta.fields if isinstance(field, EncryptedField)]
        rows = model._base_manager.select_for_update().order_by("pk") if names else ()
        for row in rows:
            stored = [name for name in names if getattr(row, name)]
            for name in stored:
                setattr(row, name, encrypt(decrypt(getattr(row, name))))
            if stored:
                row.save(update_fields=stored)
            count += len(stored)
    return count


def unreadable_secrets() -> int:
    """How many stored secrets cannot be read with any key that is here."""
    from django.apps import apps

    count = 0
    for model in apps.get_models():
        for field in model._meta.fields:
            if isinstance(field, EncryptedField):
                count += sum(map(_is_unreadable, _column(model, field.name)))
    return count


def _column(model: type[models.Model], name: str) -> list[str]:
    return list(model._base_manager.exclude(**{name: ""}).values_list(name, flat=True))


def _is_unreadable(stored: str | None) -> bool:
    try:
        decrypt(stored or encrypt(""))
    except DecryptionError:
        return True
    return False


@cache
def _fernet(keys: tuple[str, ...]) -> MultiFernet:
    from cryptography.fernet import Fernet, MultiFernet

    return MultiFernet([Fernet(key) for key in keys])
