"""The cache: nothing is computed twice, nothing wrong is ever returned, nothing stops a run."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import textwrap
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gistmark.corpus import Corpus
from gistmark.metrics.batch import Batch
from gistmark.metrics.catalogue import metric_from
from gistmark.metrics.metric import Metric, Values
from gistmark.models.folders import cache_folder as folder_of_caches
from gistmark.records import Document, Highlight, Summary
from gistmark.scoring import cache as cache_module
from gistmark.scoring import score
from gistmark.scoring.cache import MetricCache

Register = Callable[..., None]


def segments(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.scores"))


@dataclass(frozen=True)
class OneOption:
    weight: float = 1.0


@pytest.fixture
def counted(watched: Callable[..., Any], register: Register) -> Any:
    """A registered metric `counted` that looks at references, and remembers what it scored."""
    watch = watched("references", options=OneOption)
    register(counted=watch.kind)
    return watch


def with_text(corpus: Corpus, document: str, system: str, text: str) -> Corpus:
    changed = (
        replace(s, text=text) if (s.document, s.system) == (document, system) else s
        for s in corpus.summaries
    )
    return replace(corpus, summaries=tuple(changed))


# What is computed, and what is not


def test_a_second_run_computes_nothing(small: Corpus, counted: Any):
    first = score(small, ["counted"])
    assert counted.calls == 1
    second = score(small, ["counted"])
    assert counted.calls == 1
    assert list(second) == list(first)


def test_without_the_cache_everything_is_computed_and_nothing_kept(
    small: Corpus, counted: Any, cache_folder: Path
):
    score(small, ["counted"], cache=False)
    score(small, ["counted"], cache=False)
    assert counted.calls == 2
    assert not cache_folder.exists()


def test_one_more_system_computes_only_its_summaries(small: Corpus, counted: Any):
    score(small, ["counted"])
    counted.items.clear()
    more = small.with_summaries([Summary("d1", "new", "brand new"), Summary("d2", "new", "newer")])
    scores = score(more, ["counted"])
    assert counted.summaries == ["brand new", "newer"]
    assert {(s.document, s.system): s.value for s in scores} == {
        ("d1", "one"): 11, ("d1", "two"): 5, ("d1", "new"): 9,
        ("d2", "one"): 9, ("d2", "two"): 5, ("d2", "new"): 5,
    }  # fmt: skip


def test_a_changed_reference_recomputes_only_its_document(small: Corpus, counted: Any):
    score(small, ["counted"])
    counted.items.clear()
    score(with_text(small, "d1", "gold", "another reference"), ["counted"])
    assert counted.summaries == ["the cat sat", "a mat"]
    assert counted.items[0].references[0] == "another reference"


def test_a_changed_reference_does_not_touch_a_metric_that_never_looks_at_it(
    small: Corpus, watched: Callable[..., Any], register: Register
):
    alone, source = watched(), watched("documents")
    register(alone=alone.kind, source=source.kind)
    score(small, ["alone", "source"])
    score(with_text(small, "d1", "gold", "another reference"), ["alone", "source"])
    assert (alone.calls, source.calls) == (1, 1)
    changed = replace(small, documents=(Document("d1", ("Another text.",)), small.documents[1]))
    score(changed, ["alone", "source"])
    assert (alone.calls, source.calls) == (1, 2)
    assert source.summaries[-2:] == ["the cat sat", "a mat"]


def test_the_same_texts_are_found_in_another_corpus(small: Corpus, counted: Any):
    score(small, ["counted"])
    renamed = Corpus(
        summaries=tuple(replace(s, document=f"other {s.document}") for s in small.summaries)
    )
    scores = score(renamed, ["counted"])
    assert counted.calls == 1
    assert scores.documents[0] == "other d1"


def test_another_option_has_other_entries(small: Corpus, counted: Any):
    score(small, ["counted"])
    score(small, ["counted:weight=2"])
    assert counted.calls == 2
    score(small, ["counted:weight=2", "counted:weight=1"])
    assert counted.calls == 2


def test_options_do_not_mix_their_values(small: Corpus):
    asked = ["rouge1", "rouge1:stem=yes", "rouge2", "rouge1:refs=mean"]
    direct = [list(score(small, [name], cache=False)) for name in asked]
    for _ in range(2):
        assert [list(score(small, [name])) for name in asked] == direct


def test_two_metrics_that_call_themselves_the_same_do_not_share_values(
    small: Corpus, register: Register
):
    class First(Metric):
        family = "same"
        about = "One."
        needs = frozenset()

        def score(self, batch: Batch) -> Values:
            return Values(np.full((len(batch), 1), 1.0))

    class Second(First):
        def score(self, batch: Batch) -> Values:
            return Values(np.full((len(batch), 1), 2.0))

    register(first=First, second=Second)
    assert {s.value for s in score(small, ["first"])} == {1.0}
    assert {s.value for s in score(small, ["second"])} == {2.0}


def test_the_order_and_the_number_of_references_count(counted: Any):
    gold = [Summary("d", f"gold{i}", text, reference=True) for i, text in enumerate("xy")]
    one = Summary("d", "s", "text")
    score(Corpus(summaries=(one, gold[0])), ["counted"])
    score(Corpus(summaries=(one, gold[0], gold[1])), ["counted"])
    score(Corpus(summaries=(one,)), ["counted"])
    assert counted.calls == 3


def test_a_summary_that_equals_a_document_is_not_mistaken_for_it(
    watched: Callable[..., Any], register: Register
):
    both = watched("documents")
    register(both=both.kind)
    score(Corpus((Document("d", ("x",)),), (Summary("d", "s", "yy"),)), ["both"])
    scores = score(Corpus((Document("d", ("yy",)),), (Summary("d", "s", "x"),)), ["both"])
    assert [s.value for s in scores] == [1.0]
    assert both.calls == 2


def test_documents_with_one_text_but_different_highlights_do_not_share_entries():
    text = "the cat sat on the mat"
    corpus = Corpus(
        documents=(Document("d1", (text,)), Document("d2", (text,))),
        summaries=(Summary("d1", "s", "the cat"), Summary("d2", "s", "the cat")),
        highlights=(Highlight("d1", "ann", 0, 7), Highlight("d2", "ann", 15, 22)),
    )
    direct = score(corpus, ["hrouge1"], cache=False)
    assert direct.columns["hrouge1"].part("f")[0] > direct.columns["hrouge1"].part("f")[1]
    for _ in range(2):
        assert list(score(corpus, ["hrouge1"])) == list(direct)
    swapped = replace(
        corpus, highlights=(Highlight("d1", "ann", 15, 22), Highlight("d2", "ann", 0, 7))
    )
    assert list(score(swapped, ["hrouge1"])) == list(score(swapped, ["hrouge1"], cache=False))


def test_missing_values_come_back_with_their_reasons(small: Corpus, cache_folder: Path):
    lonely = small.with_summaries([Summary("d3", "one", "alone"), Summary("d4", "one", "alone")])
    first = score(lonely, ["rouge1"])
    assert segments(cache_folder)
    second = score(lonely, ["rouge1"])
    assert list(second) == list(first)
    assert second.columns["rouge1"].reasons == {
        4: "the document has no reference",
        5: "the document has no reference",
    }
    more = lonely.with_summaries([Summary("d5", "one", "new"), Summary("d1", "new", "the cat")])
    assert list(score(more, ["rouge1"])) == list(score(more, ["rouge1"], cache=False))


def test_failures_are_not_kept(small: Corpus, register: Register, cache_folder: Path):
    class Moody(Metric):
        family = "moody"
        about = "Fails at first."
        needs = frozenset()
        mood = "bad"

        def score(self, batch: Batch) -> Values:
            if Moody.mood == "bad":
                raise RuntimeError("not today")
            return Values(np.ones((len(batch), 1)))

    register(moody=Moody)
    assert len(score(small, ["moody"]).columns["moody"].reasons) == 4
    assert segments(cache_folder) == []
    Moody.mood = "good"
    assert score(small, ["moody"]).columns["moody"].reasons == {}


def test_values_survive_to_the_last_bit(small: Corpus, register: Register):
    class Exact(Metric):
        family = "exact"
        about = "Numbers that decimal digits cannot hold."
        needs = frozenset()

        def score(self, batch: Batch) -> Values:
            return Values(np.array([[0.1 + 0.2], [5e-324], [-0.0], [1e308]])[: len(batch)])

    register(exact=Exact)
    first = score(small, ["exact"]).columns["exact"].values
    second = score(small, ["exact"]).columns["exact"].values
    assert first.tobytes() == second.tobytes()


def test_half_a_surrogate_pair_is_a_text_like_others(counted: Any):
    corpus = Corpus(summaries=(Summary("d", "s", "odd \ud800"), Summary("e", "s", "odd ?")))
    score(corpus, ["counted"])
    assert [s.value for s in score(corpus, ["counted"])] == [5.0, 5.0]
    assert counted.calls == 1


# Where it stands


def test_the_folder_comes_from_the_environment(
    small: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("GISTMARK_CACHE", str(tmp_path / "mine"))
    assert folder_of_caches() == tmp_path / "mine"
    score(small, ["words"])
    assert len(segments(tmp_path / "mine")) == 1
    monkeypatch.delenv("GISTMARK_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert folder_of_caches() == tmp_path / "xdg" / "gistmark"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert folder_of_caches() == tmp_path / "home" / ".cache" / "gistmark"


def test_the_folder_may_be_given(small: Corpus, tmp_path: Path, cache_folder: Path):
    score(small, ["words"], cache=tmp_path / "here")
    score(small, ["words"], cache=str(tmp_path / "there"))
    assert len(segments(tmp_path / "here")) == len(segments(tmp_path / "there")) == 1
    assert not cache_folder.exists()


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
    monkeypatch.setattr(cache_module, "_MOST_SEGMENTS", 3)
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
    monkeypatch.setattr(cache_module, "_MOST_SEGMENTS", 1)
    metric = metric_from("words")
    keys = np.array([[1, 1], [2, 2], [3, 3]], dtype=np.uint64)
    values = Values(np.array([[1.0], [2.0], [3.0]]))
    store = MetricCache(cache_folder, metric)
    store.add(keys, values, range(3))
    store.add(keys, values, [1])
    store.compact()
    found, there = MetricCache(cache_folder, metric).look_up(keys)
    assert there.all()
    assert found.values.tolist() == values.values.tolist()
    assert len(segments(cache_folder)) == 1


def test_putting_together_keeps_reasons(cache_folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cache_module, "_MOST_SEGMENTS", 1)
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

    monkeypatch.setattr(Path, "write_bytes", refuse)
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

        cache._MOST_SEGMENTS = 1
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
