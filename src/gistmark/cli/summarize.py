"""`gistmark summarize`: write summaries of several systems into a corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gistmark.cli.terminal.options import (
    PATH,
    choose_device,
    corpus_options,
    device_option,
    json_option,
    language_option,
)
from gistmark.cli.terminal.output import (
    announce_failures,
    announce_notes,
    counted_documents,
    failure_lines,
    print_json,
    print_table,
)
from gistmark.cli.terminal.progress import progress_bar
from gistmark.errors import GistmarkError, InterruptedRunError, UsageError

if TYPE_CHECKING:
    from gistmark.corpus import Corpus
    from gistmark.corpus.formats import ReadOptions
    from gistmark.summarizers import Limit, Summarizer
    from gistmark.summarizers.summaries import Summaries

_EPILOG = """
\b
Examples:
  gistmark summarize my-corpus
  gistmark summarize my-corpus -s LexRank -s "MMR:balance=0.5" --max-words 100
  gistmark summarize my-corpus -s hierarchical --train --explain why
  gistmark summarize articles.jsonl -s abstractive -o my-corpus
"""


@click.command(epilog=_EPILOG)
@click.argument("corpus", type=PATH, metavar="CORPUS")
@click.option(
    "-s",
    "--system",
    "systems",
    multiple=True,
    metavar="SYSTEM",
    help="A system with its options, or a group; may be repeated. See `gistmark systems`.",
)
@click.option(
    "--max-chars",
    type=click.IntRange(min=1),
    metavar="N",
    help="At most N characters; by default 600.",
)
@click.option(
    "--max-words",
    type=click.IntRange(min=1),
    metavar="N",
    help="At most N words: runs of letters and digits, so that e-mail is two and don't is one; "
    "each Han or Kana character is a word.",
)
@click.option(
    "--max-sentences", type=click.IntRange(min=1), metavar="N", help="At most N sentences."
)
@click.option(
    "--train",
    is_flag=True,
    help="Train systems that learn on CORPUS itself, never on the document to summarise.",
)
@click.option(
    "--train-on",
    type=PATH,
    metavar="CORPUS",
    help="Train systems that learn on this other corpus.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Write a new corpus folder; by default the summaries go into CORPUS.",
)
@click.option("--replace", is_flag=True, help="Replace summaries that the systems have already.")
@click.option(
    "--explain",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Also write pages that show where each summary comes from.",
)
@language_option
@device_option
@corpus_options
@json_option("Print what was done as JSON.")
def summarize(
    corpus: Path, systems: tuple[str, ...], max_chars: int | None, max_words: int | None,
    max_sentences: int | None, train: bool, train_on: Path | None, output: Path | None,
    replace: bool, explain: Path | None, lang: str | None, device: str | None, as_json: bool,
    reading: ReadOptions,
) -> None:  # fmt: skip
    """Let systems summarise the documents of CORPUS and add what they write to it.

    CORPUS is a corpus folder, or a file that a corpus can be read from. Without -s, it runs quick
    systems that need no model.
    """
    from gistmark.corpus import load
    from gistmark.summarizers.run import chosen_systems
    from gistmark.summarizers.run import summarize as run
    from gistmark.summarizers.summaries import refuse_known

    limit = _limit(max_chars, max_words, max_sentences)
    if train and train_on is not None:
        raise UsageError("Give either --train or --train-on, not both.")
    chosen = chosen_systems(systems or "default")
    _prepare(chosen, corpus, output, explain, device)
    loaded = load(corpus, **reading)
    announce_notes(loaded.notes)
    refuse_known(loaded, tuple(chosen), replace=replace)
    examples = None if train_on is None else load(train_on)
    with progress_bar("Summarising", quiet=as_json) as progress:
        try:
            result = run(
                loaded, chosen, limit, train=train, train_on=examples, lang=lang, progress=progress
            )
        except KeyboardInterrupt:
            raise InterruptedRunError("Interrupted; no summary was written.") from None
    if not result.records:
        reasons = " ".join(failure_lines(result.failures, "summarised"))
        raise GistmarkError(f"Nothing could be written. {reasons}")
    folder = _write(result, loaded, corpus, output, replace=replace)
    page = None
    if explain is not None:
        from gistmark.report.pages.explanation import write_explanation

        page = write_explanation(result, loaded, explain)
    if as_json:
        facts = {"corpus": str(folder), "explanation": None if page is None else str(page)}
        print_json({**facts, "systems": _facts(result)})
    else:
        _print(result, folder, page)
    _print_notes(result, loaded)


def _limit(chars: int | None, words: int | None, sentences: int | None) -> Limit:
    from gistmark.summarizers import Limit

    given = [each for each in (chars, words, sentences) if each is not None]
    if len(given) > 1:
        raise UsageError("Give only one of --max-chars, --max-words and --max-sentences.")
    return Limit(chars, words, sentences) if given else Limit()


def _prepare(
    systems: Mapping[str, Summarizer],
    corpus: Path,
    output: Path | None,
    explain: Path | None,
    device: str | None,
) -> None:
    """Refuse, before the run, what would stop it at its end."""
    from gistmark.corpus.folder import is_corpus_folder, refuse_other_folder
    from gistmark.models.catalogue import models_of

    if output is None and corpus.is_file():
        raise UsageError(f"{corpus} is a file, so nothing can be added; name a folder with -o.")
    if output is not None and not _same(output, corpus):
        refuse_other_folder(output)
        if is_corpus_folder(output):
            raise UsageError(f"{output} is a corpus already; give it as CORPUS to add to it.")
    if explain is not None:
        from gistmark.report.pages.explanation import refuse_other_pages

        refuse_other_pages(explain)
    if device is not None:
        choose_device(device, needed=any(models_of(system.options) for system in systems.values()))


def _write(
    result: Summaries, loaded: Corpus, corpus: Path, output: Path | None, *, replace: bool
) -> Path:
    """Put the summaries where they belong and return the folder."""
    from gistmark.corpus import save
    from gistmark.corpus.folder import add_summaries, write_signatures

    if output is None or _same(output, corpus):
        add_summaries(corpus, [record.summary for record in result], result.signatures)
        return corpus
    save(result.added_to(loaded, replace=replace), output)
    write_signatures(output, result.signatures)
    return output


def _same(output: Path, corpus: Path) -> bool:
    return output.resolve() == corpus.resolve()


def _facts(result: Summaries) -> list[dict[str, Any]]:
    """What is printed about each system."""
    from gistmark.text import word_spans

    facts = []
    failed = (failure.system for failure in result.failures)
    for system in dict.fromkeys([*result.systems, *failed]):
        texts = [record.outcome.text for record in result if record.system == system]
        failures = (failure.reason for failure in result.failures if failure.system == system)
        words = [len(word_spans(text, "words")) for text in texts]
        facts.append(
            {
                "system": system,
                "summaries": len(texts),
                "mean_chars": _mean([len(text) for text in texts]),
                "mean_words": _mean(words),
                "notes": dict(result.notes.get(system, {})),
                "failures": dict(Counter(failures)),
                "signature": result.signatures.get(system),
            }
        )
    return facts


def _mean(values: list[int]) -> float | None:
    return sum(values) / len(values) if values else None


def _print(result: Summaries, folder: Path, page: Path | None) -> None:
    head = ("system", "summaries", "characters", "words")
    rows = [
        (fact["system"], f"{fact['summaries']:,}", _short(fact["mean_chars"]),
         _short(fact["mean_words"]))
        for fact in _facts(result)
    ]  # fmt: skip
    print_table(head, rows)
    click.echo(f"\nAdded {len(result):,} summaries to {folder}; lengths are means.")
    if page is not None:
        click.echo(f"Where they come from: {page}")


def _short(value: float | None) -> str:
    return "-" if value is None else f"{value:,.1f}"


def _print_notes(result: Summaries, loaded: Corpus) -> None:
    """Notes, failures, and systems whose judgements are of other summaries, on standard error."""
    for system, notes in result.notes.items():
        for note, count in notes.items():
            click.echo(f"note: {system}: {note} ({counted_documents(count)})", err=True)
    announce_failures(result.failures, "summarised")
    judged = {rating.system for rating in loaded.ratings}
    judged |= {side for each in loaded.comparisons for side in (each.left, each.right)}
    for system in result.systems:
        if system in judged:
            click.echo(
                f"warning: {system}: people judged other summaries of this name; those judgements "
                "are still in the corpus",
                err=True,
            )
