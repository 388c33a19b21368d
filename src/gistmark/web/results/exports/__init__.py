"""The export: the work that counts, as files that `gistmark` and other tools read."""

from gistmark.web.results.exports.formats import (
    FORMATS,
    Format,
    download,
    export_to,
    file_stem,
    suggested_name,
)

__all__ = ["FORMATS", "Format", "download", "export_to", "file_stem", "suggested_name"]
