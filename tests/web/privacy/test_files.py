"""After an erasure neither the database's file nor a new backup has a byte of the person."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from web.privacy.living import WORDS
from web.serving import Server, database


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_no_byte_of_the_person_is_left(kind: str, tmp_path: Path):
    backup = tmp_path / "new.backup"
    with database(kind) as url:
        server = Server(tmp_path / "data", url)
        result = json.loads(server.run("-m", "web.privacy.vanishing", str(backup)))
    assert result["before"] > 20
    assert result["after"] == []
    assert result["overwritten"] is True
    stored = [file.read_bytes() for file in (tmp_path / "data").rglob("*") if file.is_file()]
    stored.append(backup.read_bytes())
    if kind == "postgres":
        shown = subprocess.run(["pg_restore", "--file=-", backup], capture_output=True, check=True)
        stored.append(shown.stdout)
    for word in WORDS:
        escaped = json.dumps(word)[1:-1]
        for form in {word, word.upper(), word.casefold(), escaped}:
            assert not [len(part) for part in stored if form.encode() in part], form
