"""A campaign that runs on the earlier version goes on after the upgrade, with nothing lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from web.halfway import THEN, answer
from web.serving import Server, database
from web.stages import VALUE, VERSIONS


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def upgraded(request: pytest.FixtureRequest, tmp_path_factory) -> dict[str, Any]:
    """What one database of each kind has to tell that has lived through every version."""
    folder = tmp_path_factory.mktemp("upgraded") / "data"
    with database(request.param, empty=True) as url:
        told: dict[str, Any] = json.loads(Server(folder, url, empty=True).run("-m", "web.stages"))
    return told


def test_work_of_every_earlier_version_is_in_the_export_as_it_was(upgraded: dict[str, Any]):
    assert upgraded["exported"] == {
        name: [["d1", "sys1", f"ada-{name}", "overall", float(VALUE)]] for name in VERSIONS
    }


def test_the_operations_page_lists_the_tables_of_every_earlier_version() -> None:
    page = (Path(__file__).parents[2] / "docs" / "operations.md").read_text(encoding="utf-8")
    for tables in VERSIONS.values():
        listed = ", ".join(f"{app} {migration[:4]}" for app, migration in tables)
        assert f"| {listed} |" in page


def test_a_running_campaign_of_the_earlier_version_goes_on(upgraded: dict[str, Any]) -> None:
    used = upgraded["used"]
    assert used["documents"] == ["d1", "d2"]
    assert used["summaries"] == [
        [name, system, system == "gold"] for name in ("d1", "d2") for system in ("gold", "sys1")
    ]
    assert used["highlights"] == ["d1"]
    assert used["questions"] == ["d2"]
    assert used["planted"] == ["d1", None]
    assert used["created"]
    assert used["consents"] == [["Bare", "ada", False]] + [
        ["Earlier", name, True] for name in ("ada", "grace", "owner")
    ]
    assert used["texts"] == [True, True, True]
    assert used["bare"] == {
        "documents": 0,
        "summaries": [["unheld", "gold"], ["unheld", "sys1"]],
        "rows": [["unheld", None]],
    }
    assert used["ratings"] == [
        [document, "sys1", annotator] for document in ("d1", "d2") for annotator in ("ada", "grace")
    ]
    assert used["pages"] == [200] * 7


def test_tasks_in_every_state_of_the_earlier_version_go_on(upgraded: dict[str, Any]) -> None:
    met = upgraded["halfway"]
    assert met["decision"] == ["Odd.", "rejected", "boss"]
    assert met["decided"]
    assert met["claimed"] == [str(THEN)]
    assert met["flagged"]
    assert met["before"] == [["d1", "ann", 4], ["d2", "ann", 3]]
    assert met["drafted"] == ["1.2", 3, "Summary of d1."]
    assert met["draft"] == answer(1)
    assert (met["saved"], met["submitted"]) == (4, "counts")
    assert met["next"] in ([3, "3.2"], [4, "4.2"])
    assert met["shown"]
    assert met["late"] == "counts"
    assert "accepted" in met["overruled"]
    expected = [
        ["d1", "ann", 4], ["d2", "ann", 3], ["d1", "bob", 2], ["d2", "bob", 0], ["d3", "ann", 3],
    ]  # fmt: skip
    assert all(each in met["after"] for each in expected)
    assert len(met["after"]) == 6
