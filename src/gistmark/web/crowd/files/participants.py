"""The participants' file of an export: who an annotator is on the market.

Nothing else that leaves the platform has the ids of markets, and this file is written only for
managers who ask for it.
"""

from __future__ import annotations

from gistmark.corpus.files.tables import Table
from gistmark.web.crowd.models import Visit
from gistmark.web.results.exports.material import Material

COLUMNS = (
    "annotator", "market", "participant", "study", "session", "status", "outcome", "arrived",
    "ended",
)  # fmt: skip


def participants_table(material: Material) -> Table:
    """A row for each visit, in order; annotators go by what the rest of the export calls them."""
    visits = Visit.objects.filter(recruitment__campaign=material.campaign)
    rows = [
        (
            material.name(each.participant.user.username),
            each.participant.market,
            each.participant.pid,
            each.recruitment.study or None,
            each.session,
            each.status or None,
            each.outcome or None,
            each.arrived_at.isoformat(timespec="seconds") if each.arrived_at else None,
            each.ended_at.isoformat(timespec="seconds") if each.ended_at else None,
        )
        for each in visits.select_related("participant__user", "recruitment")
    ]
    return Table({name: [row[index] for row in rows] for index, name in enumerate(COLUMNS)})
