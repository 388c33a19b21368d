"""`gistmark judge`: let a model rate or compare the summaries of a corpus."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any

import click

from gistmark.cli.terminal.judge_options import JudgeSettings, judge_options, tell_usage
from gistmark.cli.terminal.options import (
    choose_device,
    corpus_options,
    device_option,
    force_option,
    json_option,
    refuse_existing,
)
from gistmark.cli.terminal.output import Column, announce_notes, print_json, print_table
from gistmark.cli.terminal.progress import progress_bar
from gistmark.errors import GistmarkError, UsageError

if TYPE_CHECKING:
    from gistmark.corpus import Corpus
    from gistmark.corpus.formats import ReadOptions
    from gistmark.judges.metric import JudgeMetric
    from gistmark.judges.run import Verdicts

_EPILOG = """
\b
Examples:
  gistmark judge my-corpus -p likert -o judged
  gistmark judge my-corpus -p overall -o judged --judge-url http://localhost:8000/v1 \\
    --judge-model qwen --judge-price-in 0.1 --judge-price-out 0.4 --judge-cost 2
  gistmark judge my-corpus -p pairwise -d "Overall Quality" -o judged
"""
_FILE = click.Path(path_type=Path, dir_okay=False, exists=True)


@click.command(epilog=_EPILOG)
@click.argument("corpus", metavar="CORPUS")
@click.option(
    "-p",
    "--protocol",
    required=True,
    help="What to ask: a protocol of ratings or comparisons, or a JSON file of one.",
)
@click.option(
    "-d",
    "--dimension",
    "dimensions",
    multiple=True,
    help="A dimension of the protocol; may be repeated. All by default.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    metavar="DIR",
    help="The corpus with the judge's ratings or comparisons.",
)
@click.option("--name", help="The judge's name among the annotators; machine:MODEL by default.")
@click.option(
    "--shows",
    type=click.Choice(["protocol", "document", "reference", "both", "nothing"]),
    default="protocol",
    show_default=True,
    help="What the judge sees beside the summary.",
)
@click.option(
    "--rubric", type=_FILE, help="A text file that says what each point of the scale means."
)
@click.option("--steps", type=_FILE, help="A text file with the steps of the evaluation.")
@click.option("--examples", type=_FILE, help="A text file with examples.")
@click.option(
    "--option",
    "settings",
    multiple=True,
    metavar="NAME=VALUE",
    help="Any other option of the metric judge, such as answers=samples; may be repeated.",
)
@device_option
@click.option("--no-cache", is_flag=True, help="Neither read nor write cached answers.")
@force_option("Write over DIR if it is there.")
@judge_options
@corpus_options
@json_option("Print what was judged as JSON.")
def judge(
    corpus: str, protocol: str, dimensions: tuple[str, ...], output: Path, name: str | None,
    shows: str, rubric: Path | None, steps: Path | None, examples: Path | None,
    settings: tuple[str, ...], device: str | None, no_cache: bool, force: bool,
    judging: JudgeSettings, as_json: bool, reading: ReadOptions,
) -> None:  # fmt: skip
    """Let a model judge CORPUS as annotators do, and add its judgements under a machine's name.

    The judge is behind a server (--judge-url), or else a model on this machine. It judges each pair
    in both orders; where the answers disagree, the result is a tie. `gistmark study DIR` then tests
    whether the judge may stand in for people.
    """
    from gistmark.corpus import load, save
    from gistmark.corpus.folder import refuse_other_folder
    from gistmark.judges.judge import machine_name
    from gistmark.judges.questions import read_protocol
    from gistmark.judges.run import compare_corpus, pair_metrics, rate_corpus, rating_metrics

    files = {"rubric": rubric, "steps": steps, "examples": examples}
    given = {"shows": shows, **{key: str(path) for key, path in files.items() if path}}
    given |= _settings(settings)
    refuse_other_folder(output)
    refuse_existing(output, force=force)
    loaded = load(corpus, **reading)
    announce_notes(loaded.notes)
    if not loaded.systems:
        raise GistmarkError(f"{corpus}: there are no summaries to judge.")
    with judging.session() as meter:
        in_pairs = read_protocol(protocol).subject == "pair"
        metrics_of = pair_metrics if in_pairs else rating_metrics
        run = compare_corpus if in_pairs else rate_corpus
        metrics = metrics_of(protocol, dimensions or None, given)
        if device is not None:
            choose_device(device, needed=not any(metric.is_remote for metric in metrics.values()))
        judging.approve(_budget(loaded, metrics, cached=not no_cache))
        with progress_bar("Judging", quiet=as_json) as progress:
            label = next(iter(metrics.values())).label
            verdicts = run(
                loaded, metrics, name or machine_name(label),
                cache=not no_cache, progress=progress,
            )  # fmt: skip
        tell_usage(meter)
    for problem in verdicts.problems:
        click.echo(f"note: {problem}", err=True)
    for reason, count in verdicts.reasons.items():
        click.echo(f"{count:,} missing: {reason}", err=True)
    if not len(verdicts):
        raise GistmarkError("The judge gave no answer that counts; the reasons are above.")
    save(verdicts.added_to(loaded), output)
    _print(verdicts, output, as_json=as_json)


def _settings(texts: tuple[str, ...]) -> dict[str, str]:
    pairs = [text.partition("=") for text in texts]
    for name, equals, value in pairs:
        if not name or not equals or not value:
            raise UsageError(f"--option: write NAME=VALUE, not {name + equals + value!r}.")
        if name in ("dimension", "protocol", "server", "model"):
            raise UsageError(f"--option: {name} has an option of its own; see --help.")
    return {name: value for name, _, value in pairs}


def _budget(corpus: Corpus, metrics: dict[str, JudgeMetric], *, cached: bool) -> Any:
    from gistmark.judges.budget import metric_budget
    from gistmark.judges.run import batches_of
    from gistmark.models.store import cache_folder

    first = next(iter(metrics.values()))
    folder = cache_folder() if cached else None
    return metric_budget(metrics, lambda: batches_of(corpus, first), folder)


def _print(verdicts: Verdicts, output: Path, *, as_json: bool) -> None:
    values: dict[str, list[float]] = defaultdict(list)
    for rating in verdicts.ratings:
        values[rating.dimension].append(rating.value)
    ties: dict[str, list[float]] = defaultdict(list)
    for comparison in verdicts.comparisons:
        ties[comparison.dimension].append(float(comparison.choice == "tie"))
    about, counted = ("mean", values) if values else ("ties", ties)
    facts = [
        {"dimension": name, "judgements": len(all_of), about: mean(all_of)}
        for name, all_of in counted.items()
    ]
    if as_json:
        shown = {"corpus": str(output), "annotator": verdicts.annotator, "model": verdicts.model}
        missing = {"missing": dict(verdicts.reasons), "signature": verdicts.signature}
        print_json({**shown, "dimensions": facts, **missing})
        return
    columns: list[Column | str] = [
        "dimension",
        Column("judgements", right=True),
        Column(about, right=True),
    ]
    rows = [(f["dimension"], f"{f['judgements']:,}", f"{f[about]:.3f}") for f in facts]
    print_table(columns, rows)
    click.echo(f"\n{verdicts.annotator} judged; its judgements are in {output}.")
