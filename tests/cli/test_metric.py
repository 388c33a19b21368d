"""`gistmark metric train`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import gistmark
from gistmark.cli.main import main

SAMPLE = str(gistmark.sample_folder())


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        main(["metric", "train", *arguments])
    output = capsys.readouterr()
    code = caught.value.code
    return (code if isinstance(code, int) else 0), output.out, output.err


def test_a_metric_is_trained_judged_and_scores(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The whole way on the sample's references: train, print, and score with the weights."""
    file = tmp_path / "ours.json"
    status, out, _ = run(capsys, SAMPLE, "--references", "-o", str(file))
    assert status == 0
    weights = json.loads(file.read_text())
    parts = weights["card"]["held_out"]
    lines = [" ".join(line.split()) for line in out.splitlines()]
    for each in parts:
        shown = f"{each['pearson']:.3f} {each['spearman']:.3f} {each['given_length']:.3f}"
        row = f"{each['name']} {each['human']} {each['n']} {shown} {each['covered']:.0%}"
        assert row in lines
    printed = {line.split()[0] for line in lines if line}
    assert set(weights["features"]) <= printed
    assert lines[-1] == f'The weights are in {file}; use them with -m "learnt:weights={file}".'
    status, out, _ = run(capsys, SAMPLE, "--references", "-o", str(file), "--json", "--force")
    assert (status, json.loads(file.read_text())) == (0, weights)
    told = [(each["name"], round(each["spearman"], 3)) for each in json.loads(out)]
    assert told == [(each["name"], each["spearman"]) for each in parts]
    assert [each["name"] for each in parts] == [f"{SAMPLE}, part {n}" for n in range(1, 6)]
    assert sum(each["n"] for each in parts) == 56
    scores = gistmark.score(SAMPLE, [f"learnt:weights={file}"])
    column = next(iter(scores.columns.values()))
    by_system: dict[str, list[float]] = {}
    for system, value in zip(scores.systems, column.part("value").tolist(), strict=True):
        by_system.setdefault(system, []).append(value)
    means = {system: sum(values) / len(values) for system, values in by_system.items()}
    assert means["careful"] > means["garbled"]


def test_a_file_that_is_there_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ours.json"
    file.write_text("mine")
    status, _, err = run(capsys, SAMPLE, "-o", str(file))
    assert status == 2
    assert "--force" in err
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("ratings", "arguments", "message"),
    [
        ("", (), "nobody rated, compared or marked any summary"),
        ("a,s,ann,overall,3\n", (), "too few summaries (1) have the human score 'overall'"),
        ("a,s,ann,overall,3\n", ("--human", "beauty"), "no human score 'beauty'"),
        ("a,s,ann,overall,3\n", ("--references",), "training takes 20 or more"),
    ],
)
def test_a_corpus_that_cannot_teach_is_explained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], ratings: str, arguments: tuple[str, ...],
    message: str,
) -> None:  # fmt: skip
    corpus = tmp_path / "corpus"
    corpus.mkdir()
    (corpus / "documents.jsonl").write_text('{"id": "a", "text": "A long text."}\n')
    (corpus / "summaries.jsonl").write_text('{"document": "a", "system": "s", "text": "Text."}\n')
    (corpus / "ratings.csv").write_text(f"document,system,annotator,dimension,value\n{ratings}")
    status, _, err = run(capsys, str(corpus), "-o", str(tmp_path / "w.json"), *arguments)
    assert status in (1, 2)
    assert message in err
    assert "Traceback" not in err
    assert not (tmp_path / "w.json").exists()
