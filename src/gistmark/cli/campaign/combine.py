"""`gistmark campaign combine`: several campaigns about the same documents as one corpus."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gistmark.cli.platform.server import data_option, start_platform
from gistmark.cli.terminal.options import PATH, force_option, json_option
from gistmark.cli.terminal.output import print_json
from gistmark.errors import UsageError

if TYPE_CHECKING:
    from gistmark.corpus import Corpus

_EPILOG = """
\b
Examples:
  gistmark campaign combine Highlights Document Reference -o modes
  gistmark campaign combine export-1 export-2 --separate-annotators -o both
  gistmark study both --by campaign -o both-study
"""


@click.command(epilog=_EPILOG)
@click.argument("campaigns", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    "target",
    type=PATH,
    required=True,
    metavar="CORPUS",
    help="The corpus folder to write.",
)
@click.option(
    "--separate-annotators",
    is_flag=True,
    help="Annotators of the same name in two corpora are different people, as pseudonyms of "
    "separate exports are.",
)
@click.option("--names", is_flag=True, help="Keep the names of the platform's annotators.")
@click.option(
    "--with-machines", "machines", is_flag=True, help="Add the work of the platform's machines."
)
@force_option("Replace the corpus folder if there is one.")
@json_option("Print the counts and notes as JSON.")
@data_option
def combine(
    campaigns: tuple[str, ...], target: Path, separate_annotators: bool, names: bool,
    machines: bool, force: bool, as_json: bool, data: Path | None,
) -> None:  # fmt: skip
    """Combine CAMPAIGNS into one corpus whose judgements say which campaign they are of.

    Each is the key or the name of a campaign, or a corpus folder or file, such as an export. An id
    of a document, and a document's system, must stand for the same text everywhere. conditions.csv
    has each campaign's protocol, scale, and what annotators saw. On the platform a person keeps one
    pseudonym in all campaigns. `gistmark study --by campaign` compares the campaigns.
    """
    from gistmark.corpus import save
    from gistmark.corpus.combining import combine as combined_of
    from gistmark.corpus.folder import is_corpus_folder, refuse_other_folder

    refuse_other_folder(target)
    if is_corpus_folder(target) and not force:
        raise UsageError(f"{target} is a corpus already; --force replaces it.")
    if len(campaigns) < 2:
        raise UsageError("There is nothing to combine: name two campaigns or more.")
    parts = _parts(campaigns, names=names, machines=machines, data=data)
    from_platform = not any(Path(campaign).exists() for campaign in campaigns)
    combined = combined_of(
        parts, separate_annotators=separate_annotators, named_apart=not from_platform
    )
    save(combined.corpus, target)
    facts = {name: count for name, count in combined.corpus.counts().items() if count}
    if as_json:
        print_json({"corpus": str(target), "counts": facts, "notes": list(combined.notes)})
        return
    shown = ", ".join(f"{name} {count:,}" for name, count in facts.items())
    click.echo(f"Combined {len(parts)} campaigns into {target}: {shown}.")
    for note in combined.notes:
        click.echo(f"note: {note}", err=True)


def _parts(
    campaigns: tuple[str, ...], *, names: bool, machines: bool, data: Path | None
) -> list[tuple[str, Corpus]]:
    """The name and the corpus of each campaign; the platform starts only if it is needed."""
    from gistmark.corpus import load

    folders = {campaign: load(campaign) for campaign in campaigns if Path(campaign).exists()}
    stems = Counter(Path(each).stem for each in folders)
    parts = {
        each: (each if stems[Path(each).stem] > 1 else Path(each).stem, corpus)
        for each, corpus in folders.items()
    }
    if others := [campaign for campaign in campaigns if campaign not in folders]:
        start_platform(data)
        from gistmark.web.campaigns.services.campaigns import find_campaign
        from gistmark.web.results.exports.combined import corpora_of
        from gistmark.web.results.exports.material import Choices

        instances = [find_campaign(each) for each in others]
        materials = corpora_of(instances, Choices(names=names, machines=machines))
        for each, (label, material) in zip(others, materials, strict=True):
            parts[each] = (label, material.corpus)
    return [parts[campaign] for campaign in campaigns]
