"""The file of a crowd market, in and out."""

from __future__ import annotations

import codecs
import csv
import io

import pytest

from gistmark.errors import GistmarkError
from gistmark.web.crowd.files.sheets import Sheet, harmless, read_sheet, write_sheet


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
