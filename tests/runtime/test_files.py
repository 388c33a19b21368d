"""Files and folders that appear whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from gistmark.runtime.files import atomic_folder, atomic_write, user_path, write_text


def is_complete(folder: Path) -> bool:
    return (folder / "done").is_file()


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_failed_write_leaves_the_old_file_and_no_draft(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("old")

    def fail() -> None:
        with atomic_write(path) as stream:
            stream.write(b"new")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert path.read_text() == "old"
    assert names(tmp_path) == ["a.jsonl"]


def test_a_replaced_file_keeps_its_permissions(tmp_path: Path) -> None:
    path = tmp_path / "shared.json"
    path.write_text("old")
    path.chmod(0o660)
    write_text(path, "new")
    assert (path.read_text(), path.stat().st_mode & 0o777) == ("new", 0o660)


def test_half_a_surrogate_pair_becomes_a_question_mark_if_asked(tmp_path: Path) -> None:
    assert write_text(tmp_path / "a.html", "x\ud800", errors="replace").read_text() == "x?"
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "b.html", "x\ud800")
    assert names(tmp_path) == ["a.html"]


def test_a_folder_appears_whole_and_replaces_an_incomplete_one(tmp_path: Path) -> None:
    folder = tmp_path / "models" / "tiny"
    folder.mkdir(parents=True)
    (folder / "half").touch()
    with atomic_folder(folder, is_complete=is_complete) as draft:
        draft.mkdir()
        (draft / "done").touch()
        assert names(folder) == ["half"]
    assert names(folder) == ["done"]
    assert names(folder.parent) == ["tiny"]


def test_a_folder_that_fails_leaves_nothing(tmp_path: Path) -> None:
    def fail() -> None:
        with atomic_folder(tmp_path / "tiny", is_complete=is_complete) as draft:
            draft.mkdir()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert names(tmp_path) == []


def test_the_complete_folder_of_a_quicker_process_stays(tmp_path: Path) -> None:
    folder = tmp_path / "tiny"
    with atomic_folder(folder, is_complete=is_complete) as draft:
        draft.mkdir()
        (draft / "done").write_text("ours")
        folder.mkdir()
        (folder / "done").write_text("theirs")
    assert (folder / "done").read_text() == "theirs"
    assert names(tmp_path) == ["tiny"]


def test_a_home_that_nobody_has_is_a_name_like_any_other(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("HOME", "/somewhere")
    assert user_path("~/models") == Path("/somewhere/models")
    assert user_path("~nobody-has-this/models") == Path("~nobody-has-this/models")
