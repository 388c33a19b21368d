"""`gistmark campaign export|simulate`: what comes out of a campaign."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from gistmark.cli.columns import print_columns
from gistmark.cli.platform import data_option, on_platform, start_platform
from gistmark.errors import UsageError

if TYPE_CHECKING:
    from gistmark.corpus import Corpus
    from gistmark.judgements import Style
    from gistmark.web.annotate.simulation import Simulated

_PATH = click.Path(path_type=Path)


@click.command(epilog="Example: gistmark campaign export News news-results")
@click.argument("campaign")
@click.argument("target", type=_PATH)
@click.option(
    "--format",
    "form",
    type=click.Choice(["folder", "csv", "jsonl", "parquet", "highres", "thesis"]),
    default="folder",
    show_default=True,
    help="A corpus folder, the judgements alone, or another tool's format.",
)
@click.option("--names", is_flag=True, help="Keep the names of the annotators.")
@click.option("--force", is_flag=True, help="Write over TARGET if it is there.")
@on_platform
def export(campaign: str, target: Path, form: str, names: bool, force: bool) -> None:
    """Write CAMPAIGN's corpus with all accepted work to TARGET, for `gistmark study`.

    `thesis` is the table that SummaryAnnotatorTool exports, `highres` the data folder of the
    original HighRES tool. Annotators go by numbers unless --names is given.
    """
    from gistmark.corpus.folder import refuse_other_folder
    from gistmark.web.campaigns.services import find_campaign
    from gistmark.web.results.exports import FORMATS, export_to
    from gistmark.web.results.exports.material import material_for

    found, chosen = find_campaign(campaign), FORMATS[form]
    taken = any(target.iterdir()) if target.is_dir() else target.exists()
    if taken and not force:
        raise UsageError(f"{target} is there already; --force writes over it.")
    if chosen.suffix == "zip":
        refuse_other_folder(target)
        target.mkdir(parents=True, exist_ok=True)
        chosen.write(material_for(found, names=names), target)
    else:
        export_to(found, form, target, names=names)
    click.echo(f"Wrote {found.name} to {target}.")


@click.command(epilog="Example: gistmark campaign simulate -p fluency --careful 6 --careless 3")
@click.argument("corpus", type=_PATH, required=False)
@click.option("-p", "--protocol", default="fluency", show_default=True)
@click.option("--careful", type=click.IntRange(0, 500), default=6, show_default=True)
@click.option("--noisy", type=click.IntRange(0, 500), default=3, show_default=True)
@click.option("--careless", type=click.IntRange(0, 500), default=2, show_default=True)
@click.option("--adversarial", type=click.IntRange(0, 500), default=1, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@click.option("-o", "--output", type=_PATH, metavar="DIR", help="Keep the exported corpus here.")
@click.option("--json", "as_json", is_flag=True, help="Print the numbers as JSON.")
@click.option("--url", help="Use the server at this address, which runs on the data of --data.")
@data_option
def simulate(
    corpus: Path | None,
    protocol: str,
    seed: int,
    output: Path | None,
    as_json: bool,
    url: str | None,
    data: Path | None,
    **crowd: int,
) -> None:
    """Run a campaign on CORPUS, or on the sample, with simulated annotators; study its export.

    It tells which share of the work of each style of annotator the checks reject. They work
    through the API, on a server that is started for them unless --url names one. Without --data
    it runs on a platform of its own that is gone afterwards.
    """
    if url is not None and data is None:
        raise UsageError("--url needs --data, the data folder of that server.")
    with TemporaryDirectory(prefix="gistmark-simulation-") as temporary:
        if data is None:
            os.environ.pop("DATABASE_URL", None)
        start_platform(data or Path(temporary))
        from gistmark.corpus import load, sample_folder, save
        from gistmark.web.annotate.services import exported_corpus

        loaded = load(corpus or sample_folder())
        styles: Any = crowd
        campaign, found = _simulated(loaded, protocol, styles, seed, url)
        exported = exported_corpus(campaign)
    if output is not None:
        save(exported, output)
    _tell(found, exported, as_json)


def _simulated(
    corpus: Corpus, protocol: str, crowd: dict[Style, int], seed: int, url: str | None
) -> tuple[Any, Simulated]:
    """A campaign that was made, started and worked on to its end."""
    from uuid import uuid4

    from gistmark.judgements import get_protocol
    from gistmark.web.accounts.people import create_user
    from gistmark.web.annotate.simulation import run_simulation
    from gistmark.web.campaigns import services

    name = f"simulation-{uuid4().hex[:8]}"
    owner = create_user(name, role="manager")
    campaign = services.create_campaign(
        owner=owner, name=name, protocol=get_protocol(protocol), corpus=corpus
    )
    campaign.seed = seed
    campaign.save(update_fields=["seed"])
    services.generate_checks(campaign, None)
    services.approve_all(campaign, None)
    services.start(campaign, None)
    return campaign, run_simulation(campaign, crowd, seed=seed, url=url)


def _tell(found: Simulated, exported: Corpus, as_json: bool) -> None:
    from gistmark.analysis import StudyOptions, study
    from gistmark.cli.findings import print_findings

    studied = study(exported, None, StudyOptions(resamples=200))
    if as_json:
        conduct = [{**asdict(c), "rejection_rate": c.rejection_rate} for c in found.conduct]
        report = {"conduct": conduct, "quality": dict(found.quality), "left": found.left}
        report["study"] = json.loads(studied.to_json())
        click.echo(json.dumps(report, indent=2, ensure_ascii=False))
        return
    head = ("annotators", "", "submitted", "rejected", "flagged", "rate")
    print_columns(
        head,
        [
            (
                c.style,
                c.annotators,
                c.submissions,
                c.rejected,
                c.flagged,
                _percent(c.rejection_rate),
            )
            for c in found.conduct
        ],
    )
    if found.left:
        click.echo(f"Slots that nobody was left for: {found.left}.")
    click.echo("")
    print_findings(studied, written=False)


def _percent(rate: float | None) -> str:
    return "-" if rate is None else f"{rate:.0%}"
