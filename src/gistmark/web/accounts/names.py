"""The key of a name: two names with the same key count as the same name.

It is computed here and stored, since databases disagree about capital letters: for PostgreSQL the
upper case of `admın` is that of `admin`, and SQLite knows those of ASCII only.
"""

from __future__ import annotations

import unicodedata

KEY_LENGTH = 500
"""Folding the case can make a name of 150 characters up to three times as long."""


def name_key(name: str) -> str:
    """The name without blanks around it and without the difference of capital and small letters.

    >>> name_key(" Straße ") == name_key("STRASSE")
    True
    >>> name_key("admın") == name_key("admin")
    False
    """
    folded = unicodedata.normalize("NFKC", name.strip()).casefold()
    return unicodedata.normalize("NFKC", folded)
