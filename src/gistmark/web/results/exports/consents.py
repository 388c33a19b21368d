"""Who agreed to which text, and when, as a table."""

from __future__ import annotations

from pathlib import Path

from gistmark.corpus.tables import Table, dump_csv
from gistmark.files import write_text
from gistmark.web.campaigns.services.consents import CONSENT_COLUMNS, consent_rows
from gistmark.web.results.exports.formats import ExportFormat
from gistmark.web.results.exports.material import Material


class Consents(ExportFormat):
    """A row for each consent; the text and its hash are empty where they are not known."""

    name = "consents"
    label = "Consents: who agreed to which text"
    suffix = "csv"

    def write(self, material: Material, folder: Path) -> None:
        rows = consent_rows(material.campaign, material.names)
        table = Table({name: [row[name] for row in rows] for name in CONSENT_COLUMNS})
        write_text(folder / "consents.csv", "".join(dump_csv(table, guarded=True)))
