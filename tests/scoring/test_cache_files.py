"""The files of the cache: damaged, many, and written by two at once."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gistmark.corpus import Corpus
from gistmark.metrics.catalogue import metric_from
from gistmark.metrics.metric import Values
from gistmark.records import Summary
from gistmark.scoring import cache as cache_module
from gistmark.scoring import score
from gistmark.scoring.cache import MetricCache
from scoring.segments import segments

Register = Callable[..., None]


# Files that are not what they should be


def flip_a_byte(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[-3] ^= 0x40
    file.write_bytes(bytes(content))


def truncate(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-5])


def empty(file: Path) -> None:
    file.write_bytes(b"")


def replace_with_text(file: Path) -> None:
    file.write_text("system,score\nmine,1.0\n")


def rename(file: Path) -> None:
    file.rename(file.with_name("0" * 32 + ".scores"))


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (flip_a_byte, "its content is damaged"),
        (truncate, "its content is damaged"),
        (rename, "its content is damaged"),
        (empty, "it was not written by Gistmark"),
        (replace_with_text, "it was not written by Gistmark"),
    ],
)
def test_a_damaged_file_is_passed_over_with_a_warning_and_the_values_are_right(
    small: Corpus, counted: Any, cache_folder: Path, damage: Callable[[Path], None], why: str
):
    first = list(score(small, ["counted"]))
    (file,) = segments(cache_folder)
    damage(file)
    with pytest.warns(UserWarning, match=rf"cache file .*\.scores is ignored: {why}"):
        second = list(score(small, ["counted"]))
    assert second == first
    assert counted.calls == 2


def test_an_entry_that_was_copied_from_another_metric_is_passed_over(
    small: Corpus, cache_folder: Path
):
    direct = list(score(small, ["rouge1"], cache=False))
    score(small, ["rouge2"])
    (foreign,) = segments(cache_folder)
    home = MetricCache(cache_folder, metric_from("rouge1")).folder
    home.mkdir(parents=True)
    shutil.copy(foreign, home)
    with pytest.warns(UserWarning, match="it belongs to another metric"):
        assert list(score(small, ["rouge1"])) == direct


def test_a_folder_with_the_name_of_a_file_is_passed_over(
    small: Corpus, counted: Any, cache_folder: Path
):
    first = list(score(small, ["counted"]))
    (file,) = segments(cache_folder)
    file.unlink()
    file.mkdir()
    ignored = pytest.warns(UserWarning, match="is ignored")
    with pytest.warns(UserWarning, match="Scores are not cached"), ignored:
        assert list(score(small, ["counted"])) == first


def test_good_files_beside_a_damaged_one_are_still_used(
    small: Corpus, counted: Any, cache_folder: Path
):
    score(small, ["counted"])
    (file,) = segments(cache_folder)
    shutil.copy(file, file.with_name("f" * 32 + ".scores"))
    with pytest.warns(UserWarning, match="damaged"):
        score(small, ["counted"])
    assert counted.calls == 1


def test_a_folder_that_cannot_be_written_warns_once_and_the_run_goes_on(
    small: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "file").write_text("I am not a folder.")
    monkeypatch.setattr("gistmark.scoring.run.block_size", lambda *_: 2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        scores = score(small, ["rouge1", "words"], cache=tmp_path / "file")
    (warning,) = caught
    assert str(warning.message).startswith("Scores are not cached: ")
    assert list(scores) == list(score(small, ["rouge1", "words"], cache=False))
    assert (tmp_path / "file").read_text() == "I am not a folder."


# Putting together


@pytest.fixture
def crowded(small: Corpus, counted: Any, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """A cache with four segments, one more than it will then bear."""
    documents = [Summary(f"n{i}", "one", "x" * i) for i in range(1, 8)]
    corpus = Corpus(summaries=tuple(documents))
    for count in (1, 3, 5, 7):
        score(replace(corpus, summaries=corpus.summaries[:count]), ["counted"])
    monkeypatch.setattr(cache_module, "_MAX_SEGMENTS", 3)
    counted.items.clear()
    return corpus


def test_putting_segments_together_keeps_everything(
    crowded: Corpus, counted: Any, cache_folder: Path
):
    assert len(segments(cache_folder)) == 4
    for _ in range(2):
        scores = score(crowded, ["counted"])
        assert [s.value for s in scores] == [1, 2, 3, 4, 5, 6, 7]
        assert len(segments(cache_folder)) == 1
    assert counted.items == []
    assert [path.suffix for path in cache_folder.rglob("*") if path.is_file()] == [".scores"]


def test_a_file_that_holds_everything_already_is_kept(
    cache_folder: Path, monkeypatch: pytest.MonkeyPatch
):
    # Another process may have added again what a file that was put together holds already.
    monkeypatch.setattr(cache_module, "_MAX_SEGMENTS", 1)
    metric = metric_from("words")
    keys = np.array([[1, 1], [2, 2], [3, 3]], dtype=np.uint64)
    values = Values(np.array([[1.0], [2.0], [3.0]]))
    store = MetricCache(cache_folder, metric)
    store.add(keys, values, range(3))
    store.add(keys, values, [1])
    store.compact()
    result, there = MetricCache(cache_folder, metric).look_up(keys)
    assert there.all()
    assert result.values.tolist() == values.values.tolist()
    assert len(segments(cache_folder)) == 1


def test_putting_together_keeps_reasons(cache_folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cache_module, "_MAX_SEGMENTS", 1)
    alone = tuple(Summary(f"d{i}", "s", f"text {i}") for i in range(6))
    gold = tuple(Summary(f"d{i}", "gold", "text", reference=True) for i in (0, 3))
    for count in (2, 4, 6):
        score(Corpus(summaries=alone[:count] + gold), ["rouge1"])
    assert len(segments(cache_folder)) == 1
    whole = Corpus(summaries=alone + gold)
    scores = score(whole, ["rouge1"])
    assert list(scores) == list(score(whole, ["rouge1"], cache=False))
    assert set(scores.columns["rouge1"].reasons) == {1, 2, 4, 5}


def test_a_damaged_segment_does_not_spoil_the_others(
    crowded: Corpus, counted: Any, cache_folder: Path
):
    sizes = {path: path.stat().st_size for path in segments(cache_folder)}
    flip_a_byte(min(sizes, key=lambda path: sizes[path]))
    with pytest.warns(UserWarning, match="damaged"):
        scores = score(crowded, ["counted"])
    assert [s.value for s in scores] == [1, 2, 3, 4, 5, 6, 7]
    assert len(counted.items) in (1, 2)
    assert len(segments(cache_folder)) == 1


def test_a_folder_that_cannot_be_tidied_does_not_cost_the_run(
    crowded: Corpus, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
):
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.warns(UserWarning, match="Permission denied"):
        scores = score(crowded, ["counted"])
    assert [s.value for s in scores] == [1, 2, 3, 4, 5, 6, 7]
    assert len(segments(cache_folder)) == 4


def test_a_write_that_breaks_off_leaves_nothing_behind(
    small: Corpus, cache_folder: Path, monkeypatch: pytest.MonkeyPatch
):
    def fail(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.warns(UserWarning, match="No space left"):
        score(small, ["words"])
    assert [path for path in cache_folder.rglob("*") if path.is_file()] == []


# Two at once


def test_two_processes_may_use_one_cache_at_the_same_time(tmp_path: Path):
    code = """
        import sys
        import warnings
        from dataclasses import replace

        import gistmark
        from gistmark.scoring import cache

        cache._MAX_SEGMENTS = 1
        corpus = gistmark.load(gistmark.sample_folder())
        documents = list(corpus.document_ids)
        if sys.argv[1] == "backwards":
            documents.reverse()
        print("ready", flush=True)
        sys.stdin.readline()
        for count in range(1, len(documents) + 1):
            chosen = set(documents[:count])
            part = [s for s in corpus.summaries if s.document in chosen]
            gistmark.score(replace(corpus, summaries=tuple(part)), ["rouge1", "words"])
    """
    folder = tmp_path / "shared"
    env = {"GISTMARK_CACHE": str(folder), "PATH": "/usr/bin:/bin"}
    both = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", textwrap.dedent(code), way],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, env=env,
        )
        for way in ("forwards", "backwards")
    ]  # fmt: skip
    for process in both:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    ends = [process.communicate("go\n", timeout=60) for process in both]
    assert [process.returncode for process in both] == [0, 0], ends
    assert [err for _, err in ends] == ["", ""]
    import gistmark

    sample = gistmark.load(gistmark.sample_folder())
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        cached = list(gistmark.score(sample, ["rouge1", "words"], cache=folder))
    assert cached == list(gistmark.score(sample, ["rouge1", "words"], cache=False))


def test_a_segment_says_in_plain_text_what_it_belongs_to(small: Corpus, cache_folder: Path):
    score(small, ["rouge1"])
    (file,) = segments(cache_folder)
    magic, header, _ = file.read_bytes().split(b"\n", 2)
    assert magic == b"gistmark scores 1"
    assert json.loads(header)["signature"] == metric_from("rouge1").signature
    assert json.loads(header)["entries"] == 4
