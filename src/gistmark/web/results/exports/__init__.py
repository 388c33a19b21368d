"""The export: the work that counts, as files that `gistmark` and other tools read."""

from gistmark.web.results.exports.files import (
    export_to,
    file_stem,
    suggested_name,
    write_beside,
)
from gistmark.web.results.exports.formats import (
    ExportFormat,
    export_format,
    formats_for,
    judgement_files,
)
from gistmark.web.results.exports.material import Choices
from gistmark.web.results.exports.prepared import (
    choices_of,
    download,
    export_of,
    forget_exports,
    look_at,
    request_export,
)

__all__ = [
    "Choices",
    "ExportFormat",
    "choices_of",
    "download",
    "export_format",
    "export_of",
    "export_to",
    "file_stem",
    "forget_exports",
    "formats_for",
    "judgement_files",
    "look_at",
    "request_export",
    "suggested_name",
    "write_beside",
]
