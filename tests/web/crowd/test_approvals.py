"""Approvals: rows of a market's file matched to work by codes, and what a market learns.

The file goes in and out as the market itself writes it.
"""

from __future__ import annotations

import codecs
import csv
import io

import pytest

from gistmark.errors import GistmarkError
from gistmark.web.annotate.codes import completion_code
from gistmark.web.annotate.models import Decision, Task
from gistmark.web.annotate.outcomes import OUTCOMES, verdict_of
from gistmark.web.campaigns.models import Event
from gistmark.web.campaigns.services.campaigns import change_settings, close
from gistmark.web.config.codes import plain
from gistmark.web.config.errors import ConflictError
from gistmark.web.crowd.approvals import (
    CAME_LATE,
    FLAGGED,
    NOT_PASSED,
    Sheet,
    Status,
    fill,
    fill_batch,
    harmless,
    read_sheet,
    status_for,
    statuses_of,
    write_sheet,
)
from web.annotate.answering import claimed, done
from web.crowd.working import LATE, TOO_FAST, WRONG, batch, coded_campaign, worked

KNOWN = {
    "GOOD": Status("approve"),
    "POOR": Status("reject", "@Not read."),
    "WAIT": Status("undecided", "It waits."),
}
YES = Decision(verdict="counts", reason="")


def decided(*codes: str) -> tuple[list[tuple[str, str]], list[str]]:
    """What stands in Approve and Reject, and what is told about the other rows."""
    filled = fill(read_sheet(batch(*codes)), KNOWN)
    return [(row[2], row[3]) for row in filled.sheet.rows], list(map(str, filled.undecided))


def test_work_is_approved_rejected_or_left():
    assert decided("GOOD", "POOR", "WAIT", "ELSE", "") == (
        [("x", ""), ("", "'@Not read."), ("", ""), ("", ""), ("", "")],
        [
            "Row 4: It waits.",
            "Row 5: The code ELSE is not one of this campaign.",
            "Row 6: There is no code.",
        ],
    )


@pytest.mark.parametrize("typed", ["good", " GO-OD ", "g o o d", "Go\tod", "«good».", "GO–OD"])
def test_a_code_is_known_however_it_is_typed(typed):
    assert decided(typed)[0] == [("x", "")]


def test_a_code_that_is_used_twice_counts_where_it_comes_first():
    assert decided("good", "WAIT", "GO-OD", "wait") == (
        [("x", ""), ("", ""), ("", ""), ("", "")],
        [
            "Row 3: It waits.",
            "Row 4: The row repeats the code of row 2.",
            "Row 5: The row repeats the code of row 3.",
        ],
    )


def test_what_the_file_had_decided_stays_and_uses_up_its_code():
    columns = ("Answer.surveycode", "Approve", "Reject")
    rows = (("POOR", "X", ""), ("GOOD", "", "No."), ("POOR", "", ""))
    filled = fill(Sheet(columns, rows), KNOWN)
    assert filled.sheet.rows == rows
    assert list(map(str, filled.undecided)) == ["Row 4: The row repeats the code of row 2."]
    assert str(filled) == "Approved 0, rejected 0, undecided 1, already decided in the file 2."


def test_filling_in_twice_changes_nothing():
    once = fill(read_sheet(batch("GOOD", "POOR", "WAIT")), KNOWN)
    again = fill(once.sheet, KNOWN)
    assert again.sheet == once.sheet
    assert (once.approved, once.rejected, again.kept) == (1, 1, 2)


def test_what_a_worker_typed_reaches_the_terminal_as_letters_alone():
    told = decided("\x1b[31mRED" + "x" * 500)[1]
    assert told == [f"Row 2: The code {('31MRED' + 'X' * 500)[:20]} is not one of this campaign."]


def test_empty_rows_are_left_and_counted():
    data = b"Answer.surveycode\nGOOD\n\nELSE\n"
    filled = fill(read_sheet(data), KNOWN)
    assert [each.row for each in filled.undecided] == [4]


@pytest.mark.django_db
def test_the_file_of_a_campaign_is_filled_in():
    made = worked()
    filled = fill_batch(made.campaign, batch(*made.codes.values()), made.campaign.owner)
    cells = dict(zip(made.codes, ((row[2], row[3]) for row in filled.sheet.rows), strict=True))
    assert cells == {
        "good": ("x", ""),
        "flagged": ("", ""),
        "failed": ("", NOT_PASSED),
        "late": ("", ""),
        "accepted": ("x", ""),
        "rejected": ("", "'=The text was not read."),
    }
    assert [each.row for each in filled.undecided] == [3, 5]
    event = Event.objects.get(verb="approvals-filled")
    assert (event.user, event.about) == (
        made.campaign.owner, {"approved": 2, "rejected": 2, "undecided": 2},
    )  # fmt: skip


@pytest.mark.django_db
def test_no_check_gives_its_answer_away():
    made = worked()
    filled = fill_batch(made.campaign, batch(*made.codes.values()), None)
    cells = " ".join(cell for row in filled.sheet.rows for cell in row)
    assert "bridge" in WRONG["reason"]
    assert not [word for word in ("bridge", "statement", "called", "seconds") if word in cells]


@pytest.mark.django_db
def test_codes_of_other_campaigns_and_of_work_that_is_not_submitted_are_unknown(annotator):
    campaign, other = coded_campaign((annotator,)), coded_campaign((annotator,))
    codes = [completion_code(claimed(campaign, annotator).pk, campaign)]
    codes.append(completion_code(done(other, annotator).task_id, other))
    filled = fill_batch(campaign, batch(*codes), None)
    assert list(map(str, filled.undecided)) == [
        f"Row {row}: The code {plain(code)} is not one of this campaign."
        for row, code in enumerate(codes, start=2)
    ]


@pytest.mark.django_db
def test_a_closed_campaign_still_approves_and_one_without_codes_does_not(annotator):
    campaign = coded_campaign((annotator,))
    code = completion_code(done(campaign, annotator).task_id, campaign)
    close(campaign, None)
    assert fill_batch(campaign, batch(code), None).approved == 1
    with pytest.raises(ConflictError, match="can no longer be changed"):
        change_settings(campaign, None, completion_codes=False)
    campaign.completion_codes = False
    with pytest.raises(ConflictError, match="gives no completion codes"):
        fill_batch(campaign, batch(code), None)


def no(reason: str) -> Decision:
    return Decision(verdict="rejected", reason=reason)


@pytest.mark.parametrize(
    ("outcome", "flags", "decision", "expected"),
    [
        ("accepted", [], None, Status("approve")),
        ("undecided", [TOO_FAST], None, Status("undecided", FLAGGED)),
        ("paid", [WRONG], None, Status("approve")),
        ("paid", [WRONG], Decision(verdict="paid", reason="Odd."), Status("approve")),
        ("rejected", [WRONG], None, Status("reject", NOT_PASSED)),
        ("rejected", [WRONG, TOO_FAST], None, Status("reject", NOT_PASSED)),
        ("late", [LATE], None, Status("undecided", CAME_LATE)),
        ("late", [LATE, WRONG], None, Status("undecided", CAME_LATE)),
        ("accepted", [TOO_FAST], YES, Status("approve")),
        ("accepted", [WRONG], YES, Status("approve")),
        ("rejected", [], no("Not read."), Status("reject", "Not read.")),
        ("rejected", [LATE], no(LATE["reason"]), Status("reject", LATE["reason"])),
        ("rejected", [WRONG], no("Not read."), Status("reject", "Not read.")),
        ("rejected", [WRONG], no(WRONG["reason"]), Status("reject", NOT_PASSED)),
        ("rejected", [WRONG], no(f"No: {WRONG['reason']}"), Status("reject", NOT_PASSED)),
        ("rejected", [WRONG], no(WRONG["reason"][:30] + "…"), Status("reject", NOT_PASSED)),
        (
            "rejected",
            [WRONG, TOO_FAST],
            no(f"{WRONG['reason']} {TOO_FAST['reason']}"),
            Status("reject", NOT_PASSED),
        ),
    ],
)
def test_what_becomes_of_a_task(outcome, flags, decision, expected):
    verdict = verdict_of(Task(**OUTCOMES[outcome]))
    assert status_for(verdict, outcome, flags=flags, decision=decision) == expected


@pytest.mark.django_db
def test_the_work_of_a_campaign_by_its_codes():
    made = worked()
    result = statuses_of(made.campaign)
    words = {name: result[plain(code)].decision for name, code in made.codes.items()}
    assert words == {
        "good": "approve", "flagged": "undecided", "failed": "reject", "late": "undecided",
        "accepted": "approve", "rejected": "reject",
    }  # fmt: skip
    assert len(result) == 6


@pytest.mark.django_db
def test_what_is_not_submitted_and_other_campaigns_have_no_status(annotator):
    campaign = coded_campaign((annotator,))
    other = coded_campaign((annotator,))
    claimed(campaign, annotator)
    done(other, annotator)
    assert statuses_of(campaign) == {}


@pytest.mark.django_db
def test_the_number_of_queries_does_not_grow_with_the_work(annotator, django_assert_num_queries):
    campaign = coded_campaign((annotator,))
    for _ in range(3):
        done(campaign, annotator)
        with django_assert_num_queries(3):
            statuses_of(campaign)


def test_columns_and_cells_stay_as_they_are_and_what_is_missing_is_added():
    data = 'HITId,"Answer.surveycode",Input.text\n1,AB,"=1+1, ""so""\nit goes ë"\n2,,\n'.encode()
    sheet = read_sheet(data)
    assert sheet.columns == ("HITId", "Answer.surveycode", "Input.text", "Approve", "Reject")
    assert sheet.rows == (
        ("1", "AB", '=1+1, "so"\nit goes ë', "", ""),
        ("2", "", "", "", ""),
    )
    written = write_sheet(sheet)
    assert list(csv.reader(io.StringIO(written, newline=""))) == [
        list(sheet.columns),
        *map(list, sheet.rows),
    ]
    assert read_sheet(written.encode()) == sheet


def test_columns_that_are_there_keep_their_place():
    data = b"Reject,Answer.surveycode,Approve,Last\n,AB,,x\n"
    sheet = read_sheet(data)
    assert sheet == Sheet(
        ("Reject", "Answer.surveycode", "Approve", "Last"), (("", "AB", "", "x"),)
    )


def test_rows_may_end_before_the_cells_that_the_market_wants_filled():
    sheet = read_sheet(b"A,Answer.surveycode,Approve,Reject\r\n1,AB\r\n\r\n2,CD\r\n\r\n")
    assert [row[:2] for row in sheet.rows] == [("1", "AB"), ("", ""), ("2", "CD")]
    assert {len(row) for row in sheet.rows} == {4}


def test_a_byte_order_mark_is_no_part_of_a_column():
    sheet = read_sheet(codecs.BOM_UTF8 + b"Answer.surveycode\nAB\n")
    assert sheet.columns[0] == "Answer.surveycode"


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The file is empty."),
        (b"\n\n", "The file is empty."),
        (b"PK\x03\x04\xff\xfe", "a ZIP archive or an Excel workbook"),
        ("Answer.surveycode\nAB".encode("utf-16"), "UTF-16"),
        (b"Answer.surveycode\n\xff\xff\n", "not UTF-8"),
        (b"HITId,Code\n1,AB\n", "no column 'Answer.surveycode'; its columns are HITId, Code."),
        (b"HITId;Answer.surveycode\n1;AB\n", "no column 'Answer.surveycode'"),
        (b"Answer.surveycode,Answer.surveycode\nA,B\n", "'Answer.surveycode' comes twice."),
        (b"Answer.surveycode,Approve,Approve\nA,,\n", "'Approve' comes twice."),
        (b"Answer.surveycode,Approve\n", "no rows"),
        (b"A,Answer.surveycode\n1,B\n1,B,C\n", "Row 3 has 3 cells, but the first row names 2"),
        (b'A,Answer.surveycode\n1,"B\n', "broken CSV in line 2"),
        (b'A,Answer.surveycode\n1,"B"x\n', "broken CSV in line 2"),
    ],
)
def test_a_bad_file_gets_one_sentence(data, sentence):
    with pytest.raises(GistmarkError) as caught:
        read_sheet(data)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+1", "'+1"),
        ("-1", "'-1"),
        ("@a", "'@a"),
        (" \t=1", "'=1"),
        ("\N{FULLWIDTH EQUALS SIGN}1", "'\N{FULLWIDTH EQUALS SIGN}1"),
        ("Not read.\r\n=1", "Not read. =1"),
        ("A plain reason.", "A plain reason."),
        ("", ""),
    ],
)
def test_no_cell_of_ours_is_a_formula(text, written):
    assert harmless(text) == written
