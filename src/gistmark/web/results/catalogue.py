"""The catalogue of export formats: a name, and the class that writes it.

Pages, the API and the command line list the formats from here. A new one is a class below
`gistmark.web.results.exports` (`formats.ExportFormat` says what it has) and a line here. The
catalogue is read without importing what it lists, so the command line stays fast.
"""

from __future__ import annotations

EXPORTS: dict[str, str] = {
    "folder": "gistmark.web.results.exports.formats:Folder",
    "csv": "gistmark.web.results.exports.formats:Csv",
    "jsonl": "gistmark.web.results.exports.formats:JsonLines",
    "parquet": "gistmark.web.results.exports.formats:Parquet",
    "highres": "gistmark.web.results.exports.formats:HighRes",
    "thesis": "gistmark.web.results.exports.formats:Thesis",
    "consents": "gistmark.web.results.exports.formats:Consents",
}
PARTICIPANTS = "gistmark.web.crowd.reconciling:participants_table"
"""What writes who the annotators are on a crowd market; it stands above this package."""
