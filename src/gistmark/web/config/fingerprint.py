"""The fingerprint of the static files, which is a part of their addresses.

Browsers may so keep them for ever, and ask for the new ones as soon as there are any.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path


def fingerprint(folder: Path) -> str:
    """Ten letters that change with the name or the content of any file below the folder."""
    found = sha256()
    for file in sorted(file for file in folder.rglob("*") if file.is_file()):
        found.update(sha256(file.relative_to(folder).as_posix().encode()).digest())
        found.update(sha256(file.read_bytes()).digest())
    return found.hexdigest()[:10]
