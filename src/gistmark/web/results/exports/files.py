"""Writing an export to a file or a response."""

from __future__ import annotations

import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

from django.http import FileResponse
from django.utils.text import slugify

from gistmark.corpus import jsonl
from gistmark.files import write_text
from gistmark.web.campaigns.models import Campaign
from gistmark.web.campaigns.services import protocol_of
from gistmark.web.config.errors import ConflictError
from gistmark.web.config.locks import shared_lock
from gistmark.web.results.exports.formats import ExportFormat, demand_served, export_format
from gistmark.web.results.exports.material import Choices, material_for, rejected_rows

DEFAULTS = Choices()

PILOT = (
    "This is the work of a pilot. It was exported before anybody had decided whether to keep it or "
    "to throw it away.\n"
)


def export_to(campaign: Campaign, format: str, target: Path, choices: Choices = DEFAULTS) -> None:
    """Write the work that counts to a file.

    Several files come as a ZIP archive (`suggested_name` ends accordingly).
    """
    chosen = export_format(format)
    demand_served(chosen, protocol_of(campaign))
    material = material_for(campaign, choices)
    with TemporaryDirectory(prefix="gistmark-export-") as temporary:
        folder = Path(temporary) / "export"
        folder.mkdir()
        chosen.write(material, folder)
        if choices.rejected:
            lines = jsonl.dump_lines(rejected_rows(material))
            write_text(folder / "rejected.jsonl", "".join(lines))
        packed = _is_packed(chosen, choices.rejected)
        if packed and campaign.in_pilot:
            write_text(folder / "PILOT.txt", PILOT)
        _bring(folder, target, packed=packed)


def suggested_name(campaign: Campaign, format: str, *, rejected: bool = False) -> str:
    """A name for the file of an export."""
    chosen = export_format(format)
    suffix = "zip" if _is_packed(chosen, rejected) else chosen.suffix
    form = "" if chosen.name == suffix else f"-{chosen.name}"
    return f"{file_stem(campaign)}{form}.{suffix}"


def file_stem(campaign: Campaign) -> str:
    """How names of files begin: in plain letters, whatever the campaign is called."""
    pilot = "-pilot" if campaign.in_pilot else ""
    return f"{slugify(campaign.name)[:60] or 'campaign'}-{campaign.key}{pilot}"


def download(campaign: Campaign, format: str, choices: Choices) -> FileResponse:
    """A response that streams the export; its file has no name on disk any more by then.

    An export of a large campaign takes much memory, so one is written at a time.
    """
    with (
        shared_lock(f"export-{campaign.pk}", wait=False) as ours,
        TemporaryDirectory(prefix="gistmark-download-") as temporary,
    ):
        if not ours:
            raise ConflictError(
                "An export of this campaign is being written just now; try again in a moment."
            )
        target = Path(temporary) / "export"
        export_to(campaign, format, target, choices)
        stream = target.open("rb")
    return FileResponse(
        stream,
        as_attachment=True,
        filename=suggested_name(campaign, format, rejected=choices.rejected),
        content_type="application/octet-stream",
    )


def _is_packed(chosen: ExportFormat, rejected: bool) -> bool:
    return rejected or chosen.suffix == "zip"


def _bring(folder: Path, target: Path, *, packed: bool) -> None:
    """Move the only file of the folder to the target, or pack all of them."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not packed:
        (only,) = files
        target.write_bytes(only.read_bytes())
        return
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files:
            archive.write(path, str(path.relative_to(folder)))
