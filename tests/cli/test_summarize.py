"""`gistmark summarize`: what it writes, prints and refuses, and that nothing there is ever lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gistmark.corpus import load
from gistmark.summarizers import Limit, system_from

Run = Callable[..., Any]


@pytest.fixture
def corpus(sample: Path, tmp_path: Path) -> Path:
    """A copy of the sample that a test may write into."""
    return Path(shutil.copytree(sample, tmp_path / "corpus"))


@pytest.fixture
def single(tmp_path: Path) -> Path:
    """A corpus in a single file: one document with a reference, one without."""
    path = tmp_path / "c.jsonl"
    path.write_text(
        '{"id": "a", "text": "The cat sat. The dog ran.", "references": ["The dog ran."]}\n'
        '{"id": "b", "texts": ["One is here. Two is there.", "Three."]}\n'
    )
    return path


def content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def never_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the run itself fail the test: what is wrong must be found before."""

    def fail(*_: object, **__: object) -> None:
        raise AssertionError("the run was started")

    monkeypatch.setattr("gistmark.summarizers.run.summarize", fail)


# What is written


def test_summaries_are_added_to_the_corpus_and_the_rest_stays(run: Run, corpus: Path):
    before = content(corpus)
    done = run("summarize", corpus, "-s", "LeadFirst", "-s", "Random:seed=3", "--max-sentences", 2)
    assert (done.status, done.err) == (0, "")
    after = content(corpus)
    assert after.pop("summaries.jsonl").startswith(before.pop("summaries.jsonl"))
    signatures = json.loads(after.pop("summaries.signatures.json"))
    assert after == before
    assert signatures == {
        spec: f"{system_from(spec).signature}|max-sentences:2"
        for spec in ("LeadFirst", "Random:seed=3")
    }
    result = load(corpus)
    assert result.notes == load(corpus).notes == ()
    assert result.systems[-2:] == ("LeadFirst", "Random:seed=3")
    new = [s for s in result.summaries if s.system == "Random:seed=3"]
    assert len(new) == len(result.documents) == 14


def test_it_tells_how_much_each_system_wrote_and_where(run: Run, single: Path, tmp_path: Path):
    done = run("summarize", single, "-s", "LeadFirst", "-o", tmp_path / "out")
    head, row, blank, end = done.out.splitlines()
    assert head.split() == ["system", "summaries", "characters", "words"]
    # "The cat sat. The dog ran." has 25 characters and 6 words, "One is here. Two is there." 26, 6
    assert row.split() == ["LeadFirst", "2", "25.5", "6.0"]
    assert blank == ""
    assert end == f"Added 2 summaries to {tmp_path / 'out'}; lengths are means."


def test_json_has_the_same(run: Run, single: Path, tmp_path: Path):
    done = run("summarize", single, "-s", "LeadFirst", "-o", tmp_path / "out", "--json")
    assert json.loads(done.out) == {
        "corpus": str(tmp_path / "out"), "explanation": None,
        "systems": [{
            "system": "LeadFirst", "summaries": 2, "mean_chars": 25.5, "mean_words": 6.0,
            "notes": {}, "failures": {},
            "signature": f"{system_from('LeadFirst').signature}|max-chars:600",
        }],
    }  # fmt: skip


def test_without_systems_quick_ones_run(run: Run, single: Path, tmp_path: Path):
    done = run("summarize", single, "-o", tmp_path / "out", "--json")
    assert [fact["system"] for fact in json.loads(done.out)["systems"]] == [
        "LeadFirst", "Random", "MMR*", "Submodular", "LexRank", "TextRank",
    ]  # fmt: skip


def test_a_new_corpus_has_all_that_the_old_one_had(run: Run, corpus: Path, tmp_path: Path):
    before = content(corpus)
    done = run("summarize", corpus, "-s", "LeadFirst", "-o", tmp_path / "out")
    assert done.status == 0
    assert content(corpus) == before
    old, new = load(corpus), load(tmp_path / "out")
    assert new.ratings == old.ratings
    assert new.highlights == old.highlights
    assert new.summaries[: len(old.summaries)] == old.summaries
    assert (tmp_path / "out" / "summaries.signatures.json").is_file()


def test_the_corpus_itself_may_be_named_as_output(run: Run, corpus: Path):
    assert run("summarize", corpus, "-s", "LeadFirst", "-o", corpus).status == 0
    assert "LeadFirst" in load(corpus).systems


@pytest.mark.parametrize(
    ("option", "texts"),
    [
        (("--max-chars", 13), ["The cat sat.", "One is here."]),
        (("--max-words", 3), ["The cat sat.", "One is here."]),
        (("--max-sentences", 1), ["The cat sat.", "One is here."]),
        (("--max-chars", 5), ["The", "One"]),
    ],
)
def test_the_limit_holds(
    run: Run, single: Path, tmp_path: Path, option: tuple[str, int], texts: list[str]
):
    run("summarize", single, "-s", "LeadFirst", "-o", tmp_path / "out", *option)
    result = [s.text for s in load(tmp_path / "out").summaries if s.system == "LeadFirst"]
    assert result == texts


# What is there already


def test_a_system_that_is_there_is_refused_before_any_work(
    run: Run, corpus: Path, monkeypatch: pytest.MonkeyPatch
):
    run("summarize", corpus, "-s", "LeadFirst", "--max-sentences", 1)
    before = content(corpus)
    never_run(monkeypatch)
    done = run("summarize", corpus, "-s", "LeadFirst", "-s", "Random")
    assert done.status == 2
    assert "summaries of LeadFirst already; replace them (--replace" in done.err
    assert content(corpus) == before


def test_replace_writes_a_systems_summaries_anew_and_no_others(run: Run, corpus: Path):
    run("summarize", corpus, "-s", "LeadFirst", "-s", "Random", "--max-sentences", 1)
    before = load(corpus)
    done = run("summarize", corpus, "-s", "LeadFirst", "--max-sentences", 2, "--replace")
    assert done.status == 0
    after = load(corpus)
    assert len(after.summaries) == len(before.summaries)
    changed = {s.system for s in set(after.summaries) - set(before.summaries)}
    assert changed == {"LeadFirst"}
    assert "people judged" not in done.err


def test_judgements_of_what_was_replaced_are_told(run: Run, corpus: Path):
    ratings = (corpus / "ratings.csv").read_text().replace(",lead,", ",LeadFirst,")
    (corpus / "ratings.csv").write_text(ratings)
    done = run("summarize", corpus, "-s", "LeadFirst")
    assert done.status == 0
    assert "warning: LeadFirst: people judged other summaries of this name" in done.err


# What cannot be summarised


def test_a_document_that_a_system_cannot_do_is_told_and_the_rest_goes_on(
    run: Run, single: Path, tmp_path: Path
):
    out = tmp_path / "out"
    done = run("summarize", single, "-s", "Oracle", "-s", "LeadFirst", "-o", out)
    assert done.status == 0
    assert "warning: Oracle: 1 document could not be summarised (b): " in done.err
    written = [(s.system, s.document) for s in load(out).summaries if not s.reference]
    assert written == [("Oracle", "a"), ("LeadFirst", "a"), ("LeadFirst", "b")]


def test_if_nothing_could_be_written_it_ends_with_1_and_writes_nothing(run: Run, tmp_path: Path):
    single = tmp_path / "c.jsonl"
    single.write_text('{"id": "a", "text": "The cat sat."}\n')
    done = run("summarize", single, "-s", "Oracle", "-o", tmp_path / "out")
    assert (done.status, done.out) == (1, "")
    assert "Nothing could be written. Oracle: 1 document could not be summarised (a): " in done.err
    assert not (tmp_path / "out").exists()


def test_notes_are_counted(run: Run, tmp_path: Path):
    single = tmp_path / "c.jsonl"
    single.write_text(
        '{"id": "a", "text": ""}\n{"id": "b", "text": " "}\n{"id": "c", "text": "C."}'
    )
    done = run("summarize", single, "-s", "LeadFirst", "-o", tmp_path / "out")
    assert done.status == 0
    assert done.err == "note: LeadFirst: the document has no sentences (2 documents)\n"


@pytest.mark.parametrize(
    "text", ["x" * 1_000_000, "no enders here at all " * 50, "🙂", "© 2019. Cookies. Menu."]
)
def test_odd_documents_stay_within_the_limit(run: Run, tmp_path: Path, text: str):
    single = tmp_path / "c.jsonl"
    single.write_text(json.dumps({"id": "a", "text": text}) + "\n")
    asked = ("-s", "LeadFirst", "-s", "MMR*", "-s", "TextRank")
    done = run("summarize", single, *asked, "-o", tmp_path / "out")
    assert done.status == 0
    texts = [summary.text for summary in load(tmp_path / "out").summaries]
    assert all(0 < len(each) <= 600 for each in texts)
    assert all(each in text for each in texts if " " not in each)


# What is refused before any work


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--max-chars", 0), "0 is not in the range x>=1"),
        (("--max-words", -3), "-3 is not in the range x>=1"),
        (("--max-chars", 9, "--max-words", 9), "Give only one of --max-chars"),
        (("-s", "LeadFrist"), "Did you mean 'LeadFirst'?"),
        (("-s", "LeadFirst:x=1"), "LeadFirst has no options"),
        (("-s", "default:x=1"), "stands for several systems"),
        (("-s", "LeadFirst", "--train"), "None of LeadFirst learns"),
        (("--train", "--train-on", "SAMPLE"), "Give either --train or --train-on"),
        (("--device", "tpu"), "'tpu' is not one of cpu"),
        (("-s", "abstractive", "--device", "cuda:77"), "cuda:77 is not on this machine"),
    ],
)
def test_a_wrong_command_ends_with_2_and_writes_nothing(
    run: Run, corpus: Path, arguments: tuple[object, ...], message: str,
    monkeypatch: pytest.MonkeyPatch,
):  # fmt: skip
    monkeypatch.setenv("GISTMARK_DEVICE", "")
    before = content(corpus)
    given = [corpus if each == "SAMPLE" else each for each in arguments]
    done = run("summarize", corpus, *given)
    assert done.status == 2
    assert message in done.err
    assert done.out == ""
    assert content(corpus) == before


def test_a_single_file_needs_a_folder_to_write_to(run: Run, single: Path):
    before = single.read_bytes()
    done = run("summarize", single, "-s", "LeadFirst")
    assert done.status == 2
    assert "name a folder with -o" in done.err
    assert single.read_bytes() == before


def test_no_other_folder_is_written_to(run: Run, single: Path, corpus: Path, tmp_path: Path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").write_text("mine")
    for option in ("-o", "--explain"):
        done = run("summarize", corpus, "-s", "LeadFirst", option, tmp_path / "full")
        assert done.status == 2
        assert "choose another" in done.err
    done = run("summarize", single, "-s", "LeadFirst", "-o", corpus)
    assert done.status == 2
    assert "is a corpus already; give it as CORPUS to add to it" in done.err


def test_a_corpus_that_is_not_there_is_one_sentence(run: Run, tmp_path: Path):
    done = run("summarize", tmp_path / "nothing")
    assert done.status == 1
    assert "There is no such file or folder." in done.err


def test_a_corpus_without_documents_cannot_be_summarised(run: Run, tmp_path: Path):
    (tmp_path / "summaries.jsonl").write_text('{"document": "a", "system": "s", "text": "t"}\n')
    done = run("summarize", tmp_path, "-s", "LeadFirst")
    assert done.status == 1
    assert "There are no documents to summarise." in done.err


# Training


def test_systems_learn_from_the_corpus_itself_or_from_another(run: Run, tmp_path: Path):
    small = tmp_path / "small.jsonl"
    small.write_text(
        "".join(
            json.dumps({"id": id, "text": f"{text} It rained.", "references": [text]}) + "\n"
            for id, text in {"a": "The cat sat.", "b": "The dog ran.", "c": "A cow came."}.items()
        )
    )
    for option, position in (("--train", ()), ("--train-on", (small,))):
        out = tmp_path / f"out{option}"
        done = run("summarize", small, "-s", "H1", option, *position, "-o", out, "--json")
        assert done.status == 0, done.err
        (fact,) = json.loads(done.out)["systems"]
        assert fact["summaries"] == 3
        assert fact["signature"].count("relevance:trained-") == 1
        assert fact["signature"].count("trained-") == (3 if option == "--train" else 1)


def test_the_words_of_a_limit_are_those_that_the_help_tells(run: Run, tmp_path: Path):
    assert "e-mail is two and don't is one" in " ".join(run("summarize", "--help").out.split())
    assert Limit(None, 2).cut("E-mail is fast") == "E-mail"
    assert Limit(None, 2).cut("Don't mail it") == "Don't mail"
    assert Limit(None, 2).cut("\u6771\u4eac\u90fd") == "\u6771\u4eac"


# Interruption

SLOW = """
import sys, time
from gistmark.cli.main import main
from gistmark.summarizers.extractive.baselines import LeadFirst
usual = LeadFirst.summarize
def slowly(self, source, limit):
    print("working", flush=True)
    time.sleep(5)
    return usual(self, source, limit)
LeadFirst.summarize = slowly
main(["summarize", sys.argv[1], "-s", "LeadFirst"])
"""


def test_an_interruption_loses_nothing_that_was_there(corpus: Path):
    before = content(corpus)
    command = [sys.executable, "-c", SLOW, str(corpus)]
    work = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ.copy()
    )
    assert work.stdout is not None
    assert work.stdout.readline() == "working\n"
    time.sleep(0.2)
    work.send_signal(signal.SIGINT)
    _, said = work.communicate(timeout=300)
    assert (work.returncode, said.strip()) == (
        1,
        "gistmark: Interrupted; no summary was written.",
    )
    assert content(corpus) == before


def test_a_disk_that_is_full_loses_nothing_that_was_there(
    run: Run, corpus: Path, monkeypatch: pytest.MonkeyPatch
):
    before = content(corpus)

    def full(*_: object) -> str:
        raise OSError(28, "No space left on device", str(corpus))

    monkeypatch.setattr("gistmark.corpus.folder._merge_signatures", full)
    done = run("summarize", corpus, "-s", "LeadFirst")
    assert done.status == 1
    assert "No space left on device" in done.err
    assert content(corpus) == before


# Explaining


def test_explain_writes_pages_and_says_where(run: Run, corpus: Path, tmp_path: Path):
    done = run("summarize", corpus, "-s", "LeadFirst", "--explain", tmp_path / "why")
    assert done.status == 0
    assert done.out.splitlines()[-1] == f"Where they come from: {tmp_path / 'why' / 'index.html'}"
    assert len(list((tmp_path / "why" / "documents").glob("*.html"))) == 14
    again = run("summarize", corpus, "-s", "LeadFirst", "--replace", "--explain", tmp_path / "why")
    assert again.status == 0


def test_the_help_has_examples(run: Run):
    done = run("summarize", "--help")
    assert done.status == 0
    assert "gistmark summarize my-corpus -s hierarchical --train --explain why" in done.out
