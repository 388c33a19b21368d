"""Writing an export to a file."""

from __future__ import annotations

import shutil
import zipfile
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from django.utils.text import slugify

from gistmark.corpus.files import jsonl
from gistmark.corpus.files.tables import dump_csv
from gistmark.corpus.schemas.records import MACHINES
from gistmark.corpus.schemas.schema import write_records
from gistmark.runtime.files import write_lines, write_text
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services.protocols import protocol_of
from gistmark.web.results.catalogue import PARTICIPANTS
from gistmark.web.results.exports.formats import ExportFormat, demand_served, export_format
from gistmark.web.results.exports.material import (
    Choices,
    Material,
    Progress,
    material_for,
    rejected_rows,
)

DEFAULTS = Choices()

PILOT = (
    "This is the work of a pilot. It was exported before anybody had decided whether to keep it or "
    "to throw it away.\n"
)


def export_to(
    campaign: Campaign,
    format: str,
    target: Path,
    choices: Choices = DEFAULTS,
    progress: Progress | None = None,
) -> None:
    """Write the work that counts to a file.

    Several files come as a ZIP archive (`suggested_name` ends accordingly). `progress` is told now
    and then how many submissions have been written.
    """
    chosen = export_format(format)
    demand_served(chosen, protocol_of(campaign))
    material = material_for(campaign, choices, progress)
    with TemporaryDirectory(prefix="gistmark-export-") as temporary:
        folder = Path(temporary) / "export"
        folder.mkdir()
        chosen.write(material, folder)
        write_beside(material, folder, choices)
        packed = _is_packed(chosen, choices)
        if packed and campaign.in_pilot:
            write_text(folder / "PILOT.txt", PILOT)
        _bring(folder, target, packed=packed)


def write_beside(material: Material, folder: Path, choices: Choices) -> None:
    """Write the files that were asked for beside those of the format."""
    if choices.rejected:
        write_lines(folder / "rejected.jsonl", jsonl.dump_lines(rejected_rows(material)))
    if choices.participants:
        module, _, name = PARTICIPANTS.partition(":")
        table = getattr(import_module(module), name)(material)
        write_text(folder / "participants.csv", "".join(dump_csv(table, guarded=True)))
    named = material.given.machines
    if named and not (folder / "machines.csv").exists():
        write_records(MACHINES, named, folder / "machines.csv", form="csv")


def suggested_name(campaign: Campaign, format: str, choices: Choices = DEFAULTS) -> str:
    """A name for the file of an export."""
    chosen = export_format(format)
    suffix = "zip" if _is_packed(chosen, choices) else chosen.suffix
    form = "" if chosen.name == suffix else f"-{chosen.name}"
    return f"{file_stem(campaign)}{form}.{suffix}"


def file_stem(campaign: Campaign) -> str:
    """How names of files begin: in plain letters, whatever the campaign is called."""
    pilot = "-pilot" if campaign.in_pilot else ""
    return f"{slugify(campaign.name)[:60] or 'campaign'}-{campaign.key}{pilot}"


def _is_packed(chosen: ExportFormat, choices: Choices) -> bool:
    return choices.adds_files or chosen.suffix == "zip"


def _bring(folder: Path, target: Path, *, packed: bool) -> None:
    """Move the only file of the folder to the target, or pack all of them."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not packed:
        (only,) = files
        shutil.move(only, target)
        return
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, str(path.relative_to(folder)))
