"""A campaign that runs on the earlier version goes on after the upgrade, with nothing lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from web.serving import Server, database


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_running_campaign_of_the_earlier_version_goes_on(kind: str, tmp_path: Path) -> None:
    with database(kind) as url:
        used = json.loads(Server(tmp_path / "data", url).run("-m", "web.upgrading"))
    assert used["documents"] == ["d1", "d2"]
    assert used["summaries"] == [
        [name, system, system == "gold"] for name in ("d1", "d2") for system in ("gold", "sys1")
    ]
    assert used["highlights"] == ["d1"]
    assert used["questions"] == ["d2"]
    assert used["planted"] == ["d1", None]
    assert used["created"]
    assert used["bare"] == {
        "documents": 0,
        "summaries": [["unheld", "gold"], ["unheld", "sys1"]],
        "rows": [["unheld", None]],
    }
    assert used["ratings"] == [
        [document, "sys1", annotator] for document in ("d1", "d2") for annotator in ("ada", "grace")
    ]
    assert used["pages"] == [200] * 7
