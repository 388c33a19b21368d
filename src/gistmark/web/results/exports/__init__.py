"""The export: the work that counts, as files that `gistmark` and other tools read."""

from gistmark.web.results.exports.files import download, export_to, file_stem, suggested_name
from gistmark.web.results.exports.formats import (
    ExportFormat,
    export_format,
    formats_for,
    judgement_files,
)
from gistmark.web.results.exports.material import Choices

__all__ = [
    "Choices",
    "ExportFormat",
    "download",
    "export_format",
    "export_to",
    "file_stem",
    "formats_for",
    "judgement_files",
    "suggested_name",
]
