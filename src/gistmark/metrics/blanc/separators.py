"""What stands between a summary and what is foreseen after it."""

from __future__ import annotations

_TEXTS = {"none": "", "space": " ", "line": "\n"}
_NAMES = {text: name for name, text in _TEXTS.items()}

NO_SEPARATOR = "none"
SEPARATORS = f"{', '.join(_TEXTS)}, or any other text"


def named_separator(sep: str) -> str:
    """The separator as an option and a signature show it: by name if it has one."""
    return _NAMES.get(sep, sep)


def separator_text(sep: str) -> str:
    """The separator as a model reads it."""
    return _TEXTS.get(sep, sep)
