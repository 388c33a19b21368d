"""`gistmark highlight`: let machines highlight the documents of a corpus."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gistmark.cli.terminal.judge_options import JudgeSettings, judge_options, tell_usage
from gistmark.cli.terminal.options import (
    choose_device,
    corpus_options,
    device_option,
    force_option,
    json_option,
    language_option,
    refuse_existing,
)
from gistmark.cli.terminal.output import (
    Column,
    announce_failures,
    announce_notes,
    print_json,
    print_table,
)
from gistmark.cli.terminal.progress import progress_bar
from gistmark.errors import GistmarkError

if TYPE_CHECKING:
    from gistmark.analysis.agreement.machine_highlights import HighlightMatch, HighlightRanking
    from gistmark.corpus import Corpus
    from gistmark.corpus.formats import ReadOptions
    from gistmark.judges.highlights import MachineHighlights

_EPILOG = """
\b
Examples:
  gistmark highlight my-corpus
  gistmark highlight my-corpus -s LexRank -s Oracle --units -o highlighted
  gistmark highlight my-corpus -s TextRank --budget 50 --alone -o for-heat-maps
  gistmark highlight my-corpus --judge --judge-url http://localhost:8000/v1 --judge-model qwen
"""
_NO_TEXT = "-"


@click.command(epilog=_EPILOG)
@click.argument("corpus", metavar="CORPUS")
@click.option(
    "-s",
    "--system",
    "systems",
    multiple=True,
    metavar="SYSTEM",
    help="A system that takes sentences as they are, with its options, or a group; may be "
    "repeated. It marks what its summary of K words takes. See `gistmark systems`.",
)
@click.option(
    "--units",
    is_flag=True,
    help="Mark where documents say what their content units (units.jsonl) say.",
)
@click.option(
    "--judge", is_flag=True, help="Let a judge rate every sentence and mark the most important."
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=30,
    show_default=True,
    metavar="K",
    help="How many words of a document a machine may mark.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write the corpus with the highlights; by default only the comparison is printed.",
)
@click.option(
    "--alone",
    is_flag=True,
    help="Leave all other highlights out of DIR, so that heat maps show these.",
)
@language_option
@device_option
@click.option("--no-cache", is_flag=True, help="Neither read nor write a judge's cached answers.")
@force_option("Write over DIR if it is there.")
@judge_options
@corpus_options
@json_option("Print what was highlighted, and the comparison with people, as JSON.")
def highlight(
    corpus: str, systems: tuple[str, ...], units: bool, judge: bool, budget: int,
    output: Path | None, alone: bool, lang: str | None, device: str | None, no_cache: bool,
    force: bool, judging: JudgeSettings, as_json: bool, reading: ReadOptions,
) -> None:  # fmt: skip
    """Let machines highlight the documents of CORPUS, at most K words in each.

    Without -s, --units and --judge, quick systems do that need no model. Where people highlighted
    the same documents, the machines are compared with them: which words they mark, and in which
    order HROUGE puts the systems by their highlights. No machine sees people's highlights.
    """
    from gistmark.analysis.agreement.machine_highlights import highlight_matches, highlight_rankings
    from gistmark.corpus import load, save
    from gistmark.corpus.folder import refuse_other_folder

    if output is not None:
        refuse_other_folder(output)
        refuse_existing(output, force=force)
    loaded = load(corpus, **reading)
    announce_notes(loaded.notes)
    if not loaded.documents:
        raise GistmarkError(f"{corpus}: there are no documents to highlight.")
    specs = systems or (() if units or judge else ("default",))
    result = _highlighted(
        loaded, specs, units=units, judge=judge, budget=budget, lang=lang, device=device,
        cache=not no_cache, judging=judging, quiet=as_json,
    )  # fmt: skip
    announce_failures(result.failures, "highlighted")
    if not result.highlights:
        raise GistmarkError("Nothing could be highlighted; the reasons are above.")
    marked = result.added_to(loaded, alone=alone)
    if output is not None:
        save(marked, output)
    people, machines = result.added_to(loaded).split(marked.machine_names)
    machines = machines.split(set(result.names))[1]
    matches = highlight_matches(people, machines)
    rankings = highlight_rankings(people, machines)
    if as_json:
        print_json(
            {
                "corpus": None if output is None else str(output),
                "machines": [asdict(machine) for machine in result.machines],
                "highlights": len(result.highlights),
                "matches": [asdict(record) for record in matches],
                "rankings": [asdict(record) for record in rankings],
            }
        )
        return
    _print(result, loaded, matches, rankings)
    if output is not None:
        click.echo(f"\nThe corpus with {len(result.highlights):,} highlights is in {output}.")


def _highlighted(
    corpus: Corpus, systems: tuple[str, ...], *, units: bool, judge: bool, budget: int,
    lang: str | None, device: str | None, cache: bool, judging: JudgeSettings, quiet: bool,
) -> MachineHighlights:  # fmt: skip
    from gistmark.judges.highlights import (
        MachineHighlights,
        highlight_by_systems,
        highlight_by_units,
        refuse_writers,
    )
    from gistmark.models.catalogue import models_of
    from gistmark.summarizers import systems_from

    by_name = systems_from(systems)
    refuse_writers(by_name)
    if device is not None:
        needed = any(models_of(system.options) for system in by_name.values())
        choose_device(device, needed=needed)
    result = MachineHighlights()
    if by_name:
        with progress_bar("Highlighting", quiet=quiet) as progress:
            result += highlight_by_systems(corpus, by_name, budget, lang=lang, progress=progress)
    if units:
        result += highlight_by_units(corpus, budget, lang=lang)
    if judge:
        result += _by_judge(corpus, budget, lang, cache, judging, quiet)
    return result


def _by_judge(
    corpus: Corpus, budget: int, lang: str | None, cache: bool, judging: JudgeSettings, quiet: bool
) -> MachineHighlights:
    from gistmark.judges.budget import metric_budget
    from gistmark.judges.highlights import SentenceMetric, highlight_by_judge, sentence_items
    from gistmark.judges.run import batches
    from gistmark.models.store import cache_folder
    from gistmark.summarizers.run import in_language

    corpus = corpus if lang is None else in_language(corpus, lang)
    with judging.session() as meter:
        metric = SentenceMetric()
        _, items = sentence_items(corpus)
        folder = cache_folder() if cache else None
        judging.approve(metric_budget({"sentences": metric}, lambda: batches(items), folder))
        with progress_bar("Judging", quiet=quiet) as progress:
            result = highlight_by_judge(corpus, metric, budget, cache=cache, progress=progress)
        tell_usage(meter)
    return result


def _print(
    result: MachineHighlights,
    corpus: Corpus,
    matches: tuple[HighlightMatch, ...],
    rankings: tuple[HighlightRanking, ...],
) -> None:
    by_name = {name: [h for h in result.highlights if h.annotator == name] for name in result.names}
    of_all = len(corpus.documents)
    rows = [
        (name, len(marks), f"{len({mark.document for mark in marks}):,} of {of_all:,}")
        for name, marks in by_name.items()
    ]
    print_table(["machine", Column("highlights", right=True), "documents"], rows)
    compared = [record for record in matches if record.n]
    if not compared:
        click.echo("\nPeople highlighted none of these documents, so there is no comparison.")
        return
    click.echo("\nAgainst people, and (in brackets) a person against the other people:")
    numbers = ("words", "coverage", "shared", "f1", "kappa")
    columns: list[Column | str] = [
        "machine",
        *(Column(name, right=True) for name in (*numbers, "documents")),
    ]
    print_table(columns, [
        (record.machine,
         *(f"{_short(getattr(record, name))} ({_short(getattr(record, f'people_{name}'))})"
           for name in numbers),
         record.n)
        for record in compared
    ])  # fmt: skip
    _print_rankings(rankings)


def _print_rankings(rankings: tuple[HighlightRanking, ...]) -> None:
    ranked = [record for record in rankings if record.part == "f" and record.same is not None]
    if not ranked:
        return
    click.echo("\nSystems by HROUGE: pairs in the same order by the machine's and people's marks")
    columns: list[Column | str] = ["machine", "metric", Column("same order", right=True),
               Column("person and others", right=True)]  # fmt: skip
    print_table(columns, [
        (record.machine, f"{record.metric}.f", f"{record.same} of {record.pairs}",
         _NO_TEXT if record.people_same is None else f"{record.people_same:.1f} of {record.pairs}")
        for record in ranked
    ])  # fmt: skip
    click.echo(
        f"This is how {ranked[0].systems} systems came out here. Their pairs depend on each other, "
        "so it is no test."
    )


def _short(value: float | None) -> str:
    if value is None:
        return _NO_TEXT
    return f"{value:.1f}" if value >= 2 else f"{value:.3f}"
