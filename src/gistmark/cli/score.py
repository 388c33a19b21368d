"""`gistmark score`: score summaries with metrics and print a leaderboard."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gistmark.cli.terminal.judge_options import (
    JudgeSettings,
    approve_judges,
    judge_options,
    tell_usage,
)
from gistmark.cli.terminal.options import (
    PATH,
    choose_device,
    corpus_options,
    device_option,
    json_option,
    language_option,
)
from gistmark.cli.terminal.output import (
    announce_notes,
    print_json,
    print_leaderboard,
    print_signatures,
    with_values,
)
from gistmark.cli.terminal.progress import progress_bar
from gistmark.errors import (
    GistmarkError,
    InterruptedRunError,
    PluginError,
    ThresholdError,
    UsageError,
)
from gistmark.records import PARTS
from gistmark.text.languages import ENGLISH

if TYPE_CHECKING:
    from gistmark.corpus import Corpus, LinePairs
    from gistmark.corpus.formats import ReadOptions
    from gistmark.metrics import Metric
    from gistmark.scoring import Scores
    from gistmark.scoring.engines import EngineName
    from gistmark.scoring.run import Progress

Floor = tuple[str, str | None, float]

_EPILOG = """
\b
Examples:
  gistmark score my-corpus -m rouge1 -m "rougeL:stem=yes" -o scores.csv
  gistmark score system.txt reference.txt -m rouge
  gistmark score my-corpus -m rouge1 --fail-under rouge1=0.35
  gistmark score my-corpus -m bertscore -m blanc-help --device cuda
  gistmark score my-corpus -m judge --judge-url http://localhost:8000/v1 --judge-model qwen
"""


@click.command(epilog=_EPILOG)
@click.argument("corpus", nargs=-1, required=True, metavar="CORPUS")
@click.option(
    "-m",
    "--metric",
    "metrics",
    multiple=True,
    metavar="METRIC",
    help="A metric with its options, or a group; may be repeated. See `gistmark metrics`.",
)
@click.option(
    "-o",
    "--output",
    type=PATH,
    metavar="FILE",
    help="Write the scores as .csv, .jsonl or .parquet.",
)
@click.option("--wide", is_flag=True, help="One row per summary instead of one per value.")
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Run on this machine, or on a Ray cluster.",
)
@click.option(
    "--workers", type=click.IntRange(min=1), help="How many cores to use; all by default."
)
@device_option
@language_option
@click.option("--no-cache", is_flag=True, help="Neither read nor write cached scores.")
@click.option(
    "--with-references", is_flag=True, help="Score the references too, each against the others."
)
@click.option(
    "--fail-under",
    "floors",
    multiple=True,
    metavar="METRIC[.PART]=VALUE",
    help="Exit with 3 if any system's mean is worse; may be repeated.",
)
@click.option(
    "--units",
    "unit_pages",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="With the metric pyramid: also write pages that show where summaries state which units.",
)
@judge_options
@corpus_options
@click.option(
    "--signatures",
    is_flag=True,
    help="Also print the metrics' signatures: all that their values depend on.",
)
@json_option("Print the leaderboard as JSON.")
def score(
    corpus: tuple[str, ...], metrics: tuple[str, ...], output: Path | None, wide: bool,
    engine: EngineName, workers: int | None, device: str | None, no_cache: bool,
    lang: str | None, with_references: bool, floors: tuple[str, ...], unit_pages: Path | None,
    signatures: bool, as_json: bool, judging: JudgeSettings, reading: ReadOptions,
) -> None:  # fmt: skip
    """Score the summaries of CORPUS and print each system's mean with its 95 % interval.

    CORPUS is a corpus folder, a .jsonl, .csv or .parquet file, or a text file of summaries
    followed by line-aligned text files of references.
    """
    from gistmark.metrics import metrics_from
    from gistmark.metrics.metric import OnModel
    from gistmark.scoring import Scores
    from gistmark.scoring import score as run
    from gistmark.scoring.run import plan, source_of

    wanted = [_floor(text) for text in floors]
    with judging.session() as meter, _presence_kept(unit_pages):
        chosen = metrics_from(metrics, lang or ENGLISH)
        if device is not None:
            on_models = (isinstance(metric, OnModel) for metric in chosen.values())
            choose_device(device, needed=any(on_models))
        if output is not None:
            _check_output(output, corpus)
        pyramid = _pyramid_of(unit_pages, chosen)
        source = _open(corpus, reading, with_references=with_references)
        names = list(metrics) or None
        scorable = source_of(source, with_references=with_references, lang=lang)
        _check_floors(wanted, plan(scorable, names))
        approve_judges(judging, scorable, names, engine=engine, cached=not no_cache)
        with progress_bar("Scoring", quiet=as_json) as progress:
            try:
                scores = run(
                    source, names, engine=engine, workers=workers,
                    cache=not no_cache, with_references=with_references, lang=lang,
                    progress=progress,
                )  # fmt: skip
            except InterruptedRunError as stop:
                if output is not None and isinstance(stop.scores, Scores) and len(stop.scores):
                    stop.scores.write(_partial(output), wide=wide)
                    click.echo(f"The scores so far are in {_partial(output)}.", err=True)
                raise
        tell_usage(meter)
        _report(scores, output, wide=wide, as_json=as_json)
        if unit_pages is not None:
            with progress_bar("Units", quiet=as_json) as progress:
                _write_units(source, pyramid, unit_pages, with_references, lang, progress)
    if signatures and not as_json:
        print_signatures(scores.signatures)
    _judge(scores, wanted)


def _pyramid_of(folder: Path | None, metrics: Mapping[str, Metric]) -> str:
    """The metric whose units are shown: the first pyramid, where any is to be shown."""
    if folder is None:
        return ""
    from gistmark.metrics.content_units.pyramid import Pyramid
    from gistmark.report.pages.units import refuse_other_units

    refuse_other_units(folder)
    for name, metric in metrics.items():
        if isinstance(metric, Pyramid):
            return name
    raise UsageError("--units shows what the metric pyramid finds; add -m pyramid.")


def _presence_kept(folder: Path | None) -> AbstractContextManager[None]:
    """Where units are shown, the probabilities of the score are kept for the pages."""
    if folder is None:
        return nullcontext()
    from gistmark.metrics.content_units.presence import presence_kept

    return presence_kept()


def _write_units(
    source: Corpus | LinePairs,
    metric: str,
    folder: Path,
    with_references: bool,
    lang: str | None,
    progress: Progress | None,
) -> None:
    from gistmark.corpus import LinePairs
    from gistmark.report.pages.units import write_unit_pages
    from gistmark.scoring.units import find_units

    corpus = source.load() if isinstance(source, LinePairs) else source
    units = find_units(
        corpus, metric, with_references=with_references, lang=lang, progress=progress
    )
    page = write_unit_pages(units, corpus, folder)
    click.echo(f"Units: {page}", err=True)


def _check_output(output: Path, paths: tuple[str, ...]) -> None:
    """Refuse a file that cannot be written, or that the scores are computed from."""
    from gistmark.corpus.schemas.records import SCHEMAS
    from gistmark.scoring.files import check_target, load_writer

    check_target(output)
    load_writer()
    target = output.resolve()
    for source in (Path(path).resolve() for path in paths):
        inside = target.parent == source and target.stem in {schema.stem for schema in SCHEMAS}
        if inside or target == source:
            raise UsageError(f"{output} would overwrite the corpus; choose another file.")


def _open(
    paths: tuple[str, ...], reading: ReadOptions, *, with_references: bool
) -> Corpus | LinePairs:
    from gistmark.corpus import load, open_lines
    from gistmark.corpus.loading import refuse_columns

    if len(paths) > 1:
        refuse_columns(paths[0], reading.get("columns"), reading.get("system_name"))
        return open_lines(paths[0], paths[1:])
    corpus = load(paths[0], **reading)
    announce_notes(corpus.notes)
    if not corpus.summaries:
        raise GistmarkError(f"{paths[0]}: there are no summaries to score.")
    if not corpus.systems and not with_references:
        raise GistmarkError(
            f"{paths[0]}: there are no summaries to score, only references; "
            "--with-references scores them."
        )
    return corpus


def _partial(output: Path) -> Path:
    """Where an interrupted run leaves its scores."""
    return output.with_stem(f"{output.stem}.partial")


def _report(scores: Scores, output: Path | None, *, wide: bool, as_json: bool) -> None:
    from gistmark.scoring.files import signature_file

    if output is not None:
        scores.write(output, wide=wide)
        for file in (_partial(output), signature_file(_partial(output))):
            file.unlink(missing_ok=True)
    for name, column in scores.columns.items():
        if column.reasons:
            click.echo(f"{name}: {len(column.reasons):,} missing ({column.why})", err=True)
    if as_json:
        board = scores.leaderboard()
        shown = {
            "leaderboard": [asdict(entry) for entry in board.entries],
            "signatures": scores.signatures,
        }
        print_json(shown)
        return
    print_leaderboard(with_values(scores).leaderboard())
    if output is not None:
        click.echo(f"Scores: {output} (signatures beside it)")


def _floor(text: str) -> Floor:
    """`rouge1=0.3`, `rouge1.recall=0.3` or `rougeL:stem=yes.f=0.3`."""
    name, _, number = text.rpartition("=")
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if not name or not math.isfinite(value):
        raise UsageError(f"--fail-under: write METRIC=VALUE or METRIC.PART=VALUE, not {text!r}.")
    metric, dot, part = name.rpartition(".")
    if dot and part in PARTS:
        return metric, part, value
    return name, None, value


def _check_floors(floors: list[Floor], metrics: Mapping[str, Metric]) -> None:
    for metric, part, _ in floors:
        if metric not in metrics:
            raise UsageError(f"--fail-under: {metric!r} is not among the metrics of this run.")
        parts = metrics[metric].parts
        if part is not None and part not in parts:
            only = ", ".join(parts)
            raise UsageError(f"--fail-under: {metric} has no part {part!r}, only {only}.")


def _judge(scores: Scores, floors: list[Floor]) -> None:
    """Stop with an error if a plugin failed, nothing was scored, or a mean misses its threshold.

    A missing mean does not miss its threshold: the run has failed.
    """
    from gistmark.metrics.catalogue import METRICS

    reasons = (reason for column in scores.columns.values() for reason in column.reasons.values())
    if failure := METRICS.failure_in(reasons):
        raise PluginError(failure)
    board = scores.leaderboard()
    if all(entry.n == 0 for entry in board.entries):
        raise GistmarkError("No summary could be scored; the reasons are above.")
    entries = [
        (board.of(system, metric, part), value)
        for metric, part, value in floors
        for system in board.systems
    ]
    missing = [
        f"{entry.system} has no {entry.metric}.{entry.part}"
        for entry, _ in entries
        if entry.mean is None
    ]
    if missing:
        raise GistmarkError(f"--fail-under: {'; '.join(missing)}; the reasons are above.")
    failures = [
        f"{entry.system}: {entry.metric}.{entry.part} is {entry.mean:.4f}, not at "
        f"{'most' if entry.better == 'lower' else 'least'} {value:g}"
        for entry, value in entries
        if entry.mean is not None
        and (entry.mean > value if entry.better == "lower" else entry.mean < value)
    ]
    if failures:
        raise ThresholdError("Worse than required: " + "; ".join(failures) + ".")
