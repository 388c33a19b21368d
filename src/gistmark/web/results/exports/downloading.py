"""The export as a response that streams."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from django.http import FileResponse

from gistmark.web.campaigns.models import Campaign
from gistmark.web.results.exports.writing import export_to, suggested_name


def download(campaign: Campaign, format: str, *, names: bool, rejected: bool) -> FileResponse:
    """A response that streams the export; its file has no name on disk any more by then."""
    with TemporaryDirectory(prefix="gistmark-download-") as temporary:
        target = Path(temporary) / "export"
        export_to(campaign, format, target, names=names, rejected=rejected)
        stream = target.open("rb")
    return FileResponse(
        stream,
        as_attachment=True,
        filename=suggested_name(campaign, format, rejected=rejected),
        content_type="application/octet-stream",
    )
