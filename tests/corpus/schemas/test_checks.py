"""Everything that is wrong with a folder is found at once, with file and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gistmark.corpus import Corpus, load
from gistmark.errors import CorpusError

DOCUMENTS = '{"id": "d1", "text": "The cat sat."}\n{"id": "d2", "text": "The dog ran."}\n'
SUMMARIES = (
    '{"document": "d1", "system": "lead", "text": "Cat."}\n'
    '{"document": "d1", "system": "mmr", "text": "Sat."}\n'
    '{"document": "d2", "system": "lead", "text": "Dog."}\n'
)
RATINGS = "document,system,annotator,dimension,value\nd1,lead,ann,overall,4\n"
COMPARISONS = "document,left,right,annotator,dimension,choice\nd1,lead,mmr,ann,overall,left\n"
HIGHLIGHTS = "document,annotator,start,end\nd1,ann,0,3\n"


def write(folder: Path, **files: str | bytes | None) -> None:
    """Write a good folder with some of its files changed; None leaves a file out."""
    content: dict[str, str | bytes | None] = {
        "documents.jsonl": DOCUMENTS,
        "summaries.jsonl": SUMMARIES,
    }
    for name, data in (content | {k.replace("__", "."): v for k, v in files.items()}).items():
        if data is not None:
            (folder / name).write_bytes(data if isinstance(data, bytes) else data.encode())


def problems(folder: Path, **files: str | bytes | None) -> list[str]:
    """The problems of a folder, each as "file:line: message" without the folder's path."""
    write(folder, **files)
    with pytest.raises(CorpusError) as caught:
        load(folder)
    return [str(problem).replace(f"{folder}/", "") for problem in caught.value.problems]


def loaded(folder: Path, **files: str | bytes | None) -> tuple[Corpus, list[str]]:
    """A corpus and its notes."""
    write(folder, **files)
    corpus = load(folder)
    return corpus, [str(note).replace(f"{folder}/", "") for note in corpus.notes]


def test_a_good_folder_has_no_notes(tmp_path: Path) -> None:
    corpus, notes = loaded(
        tmp_path, ratings__csv=RATINGS, comparisons__csv=COMPARISONS, highlights__csv=HIGHLIGHTS
    )
    assert notes == []
    assert (len(corpus.ratings), len(corpus.comparisons), len(corpus.highlights)) == (1, 1, 1)


@pytest.mark.parametrize(
    ("file", "row", "system"),
    [
        ("ratings", "d1,nobody,ann,overall,1\nd1,nobody,ann,focus,1", "nobody"),
        ("comparisons", "d1,lead,x,ann,focus,left", "x"),
    ],
)
def test_a_judged_system_without_any_summary_is_a_note_and_its_judgements_stay(
    tmp_path: Path, file: str, row: str, system: str
) -> None:
    good = {"ratings": RATINGS, "comparisons": COMPARISONS}[file]
    corpus, notes = loaded(tmp_path, **{f"{file}__csv": good + row + "\n"})
    assert notes == [f"{file}.csv:3: No summary is by a system {system!r}, which {file} name."]
    assert len(getattr(corpus, file)) == 2 + row.count("\n")


def test_problems_of_all_files_are_shown_together_by_file_and_line(tmp_path: Path) -> None:
    result = problems(
        tmp_path,
        documents__jsonl='{"id": "d1", "text": "x"}\n{"id": "d1", "text": 3}\n[]\n{"id": "d2"}\n',
        summaries__jsonl=SUMMARIES + "{\n",
        ratings__csv=RATINGS + "d1,lead,ann,focus,good\nd1,lead,ann\n",
    )
    assert result == [
        "documents.jsonl:2: The field 'text' must be text, but is the number 3.",
        "documents.jsonl:3: The line must be a JSON object, but is a list.",
        "documents.jsonl:4: The field 'text' (or 'texts') is missing.",
        "summaries.jsonl:4: Broken JSON at column 2: Expecting property name enclosed in double "
        "quotes.",
        "ratings.csv:3: The column 'value' must be a number, but is the text 'good'.",
        "ratings.csv:4: The row has 3 cells, but the header has 5.",
    ]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "x", "text": "t"', "Broken JSON at column 24"),
        ('"x"', "must be a JSON object, but is the text 'x'"),
        ("7", "must be a JSON object, but is the number 7"),
        ("null", "must be a JSON object, but is missing"),
        ('{"text": "t"}', "The field 'id' is missing"),
        ('{"id": null, "text": "t"}', "The field 'id' is missing"),
        ('{"id": "", "text": "t"}', "The field 'id' is empty"),
        ('{"id": true, "text": "t"}', "'id' must be a name (text), but is true"),
        ('{"id": 1.5, "text": "t"}', "'id' must be a name (text), but is the number 1.5"),
        ('{"id": "x", "text": ["t"]}', "'text' must be text, but is a list"),
        ('{"id": "x", "texts": "t"}', "'texts' must be a list of texts, but is the text 't'"),
        ('{"id": "x", "texts": []}', "'texts' must hold at least one text"),
        ('{"id": "x", "text": "t", "texts": ["t"]}', "Only one of the fields 'text' and 'texts'"),
        ('{"id": "x", "text": "\\ud83d"}', "'text' has an unpaired surrogate (\\ud83d)"),
        ('{"id": "\\udc00", "text": "t"}', "'id' has an unpaired surrogate"),
        ('{"id": "x", "text": "t", "id": "y"}', "The key 'id' comes twice in one object"),
        ('{"id": "x", "text": "t", "n": NaN}', "NaN is not a number that JSON allows"),
        ('{"id": "x", "text": "t", "n": -Infinity}', "-Infinity is not a number"),
        ('{"id": "x", "text": "t", "n": {"a": 1, "a": 2}}', "The key 'a' comes twice"),
        ("[" * 100_000, "nested too deeply"),
        ('{"id": "d1", "text": "t"}', "already a document with id 'd1'; the first is on line 1"),
    ],
)
def test_a_bad_line_of_json_is_a_problem(tmp_path: Path, line: str, message: str) -> None:
    (result,) = problems(tmp_path, documents__jsonl=DOCUMENTS + "\n \t\r\n" + line + "\n")
    assert result.startswith("documents.jsonl:5: ")
    assert message in result


@pytest.mark.parametrize(
    ("file", "row", "message"),
    [
        ("ratings", "d9,lead,ann,overall,1", "There is no document 'd9'."),
        ("ratings", "d1,lead,,overall,1", "The column 'annotator' is empty."),
        ("ratings", "d1,lead,ann,focus,", "The column 'value' must be a number, but is empty."),
        ("ratings", "d1,lead,ann,focus,nan", "The column 'value' must be a finite number"),
        (
            "ratings",
            "d1,lead,ann,overall,5",
            "already a rating with document 'd1', system 'lead', annotator 'ann', "
            "dimension 'overall'; the first is on line 2.",
        ),
        ("comparisons", "d1,lead,lead,ann,focus,left", "Left and right are the same system"),
        (
            "comparisons",
            "d1,lead,mmr,ann,focus,both",
            "must be 'left' or 'right' or 'tie', but is the text",
        ),
        ("comparisons", "d9,lead,mmr,ann,focus,left", "There is no document 'd9'."),
        ("comparisons", "d1,lead,mmr,ann,overall,right", "already a comparison"),
        ("highlights", "d9,ann,0,1", "There is no document 'd9'."),
        ("highlights", "d1,ann,3,3", "The highlight is empty: start 3 is not before end 3."),
        ("highlights", "d1,ann,4,2", "The highlight is empty"),
        ("highlights", "d1,ann,-1,2", "'start' must be at least 0, but is -1"),
        ("highlights", "d1,ann,0,1.5", "'end' must be a whole number"),
        (
            "highlights",
            "d1,ann,5,13",
            "ends at 13, but the text of document 'd1' has 12 characters.",
        ),
    ],
)
def test_a_bad_row_is_a_problem(tmp_path: Path, file: str, row: str, message: str) -> None:
    good = {"ratings": RATINGS, "comparisons": COMPARISONS, "highlights": HIGHLIGHTS}[file]
    (result,) = problems(tmp_path, **{f"{file}__csv": good + row + "\n"})
    assert result.startswith(f"{file}.csv:3: ")
    assert message in result


@pytest.mark.parametrize(
    ("file", "line", "message"),
    [
        ("summaries", {"document": "d9", "system": "x", "text": ""}, "no document 'd9'"),
        ("summaries", {"document": "d1", "system": "lead", "text": ""}, "already a summary"),
        ("summaries", {"document": "d1", "system": "x"}, "The field 'text' is missing"),
        (
            "summaries",
            {"document": "d1", "system": "x", "text": "", "reference": "yes"},
            "'reference' must be true or false, but is the text 'yes'",
        ),
        ("questions", {"document": "d9", "statement": "s", "answer": True}, "no document 'd9'"),
        (
            "questions",
            {"document": "d1", "statement": "s", "answer": 1},
            "'answer' must be true or false, but is the number 1",
        ),
        (
            "questions",
            {"document": "d1", "statement": "s", "answer": True, "about": "summary"},
            "'about' must be 'document' or 'reference', but is the text 'summary'",
        ),
        ("planted", {"good": "g", "mediocre": "m"}, "The field 'bad' is missing"),
        ("planted", {"good": "g", "mediocre": "m", "bad": "b", "document": "d9"}, "no document"),
    ],
)
def test_a_bad_object_is_a_problem(
    tmp_path: Path, file: str, line: dict[str, object], message: str
) -> None:
    before = SUMMARIES if file == "summaries" else ""
    result = problems(tmp_path, **{f"{file}__jsonl": before + json.dumps(line) + "\n"})
    assert len(result) == 1
    assert result[0].startswith(f"{file}.jsonl:{before.count(chr(10)) + 1}: ")
    assert message in result[0]


def test_a_number_in_quotes_is_no_number_in_json(tmp_path: Path) -> None:
    line = '{"document":"d1","system":"lead","annotator":"a","dimension":"x","value":"3"}\n'
    (result,) = problems(tmp_path, ratings__jsonl=line)
    assert "'value' must be a number, but is the text '3'" in result


def test_a_rating_may_be_repeated_in_another_campaign(tmp_path: Path) -> None:
    table = (
        "document,system,annotator,dimension,value,campaign\n"
        "d1,lead,ann,overall,4,\nd1,lead,ann,overall,5,second\n"
    )
    corpus, notes = loaded(tmp_path, ratings__csv=table)
    assert [(r.value, r.campaign) for r in corpus.ratings] == [(4.0, None), (5.0, "second")]
    assert notes == []


def test_a_comparison_may_be_asked_the_other_way_round(tmp_path: Path) -> None:
    corpus, _ = loaded(tmp_path, comparisons__csv=COMPARISONS + "d1,mmr,lead,ann,overall,left\n")
    assert [vote.winner for vote in corpus.comparisons] == ["lead", "mmr"]


def test_line_numbers_are_right_behind_cells_of_several_lines(tmp_path: Path) -> None:
    table = (
        "document,system,annotator,dimension,value\n"
        '"d1",lead,"an\nn\r\no\rtator",overall,4\n'
        "\n"
        "d1,lead,ann,overall,bad\n"
    )
    (result,) = problems(tmp_path, ratings__csv=table)
    assert result.startswith("ratings.csv:6: The column 'value'")


def test_an_open_quote_is_found_where_its_row_starts(tmp_path: Path) -> None:
    (result,) = problems(tmp_path, ratings__csv=RATINGS + 'd1,lead,"ann,focus,3\nd1,lead,b,c,3\n')
    assert result.startswith("ratings.csv:3: Broken CSV in the row that starts here")


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ("document,system,annotator,value\n", "1: The column 'dimension' is missing; found: "),
        ("document,value\n", "The columns 'system', 'annotator', 'dimension' are missing"),
        (RATINGS.replace(",", ";"), "The columns are separated by ';', not ','."),
        ("document,document,system,annotator,dimension,value\n", "'document' comes twice"),
        ("", "ratings.csv: The file is empty."),
        ("\n\n", "ratings.csv: The file is empty."),
    ],
)
def test_a_bad_header_is_one_problem(tmp_path: Path, table: str, message: str) -> None:
    (result,) = problems(tmp_path, ratings__csv=table)
    assert message in result


def test_unknown_columns_and_fields_are_noted_and_left_out(tmp_path: Path) -> None:
    corpus, notes = loaded(
        tmp_path,
        documents__jsonl='{"id": "d1", "text": "", "url": 1}\n{"id": "d2", "text": "", "url": 2}\n',
        ratings__csv="document,system,annotator,dimension,value,mood\nd1,lead,ann,overall,4,fine\n",
    )
    assert len(corpus.ratings) == 1
    assert notes == [
        "documents.jsonl:1: The field 'url' is unknown and was left out (2 times).",
        "ratings.csv:1: The column 'mood' is unknown and was left out.",
    ]


def test_whole_numbers_as_ids_are_read_as_text_with_one_note_per_file(tmp_path: Path) -> None:
    corpus, notes = loaded(
        tmp_path,
        documents__jsonl='{"id": 7, "text": "x"}\n{"id": 8, "text": "y"}\n',
        summaries__jsonl='{"document": 7, "system": 1, "text": "s"}\n',
    )
    assert [document.id for document in corpus.documents] == ["7", "8"]
    assert corpus.summaries[0].system == "1"
    assert notes == [
        "documents.jsonl: Numbers in 'id' were read as text.",
        "summaries.jsonl: Numbers in 'document', 'system' were read as text.",
    ]


def test_ids_in_csv_stay_as_they_are_written(tmp_path: Path) -> None:
    corpus, notes = loaded(
        tmp_path,
        documents__jsonl='{"id": "007", "text": "x"}\n',
        summaries__jsonl='{"document": "007", "system": "s", "text": "s"}\n',
        ratings__csv="document,system,annotator,dimension,value\n007,s,1,overall,4\n",
    )
    assert (corpus.ratings[0].document, corpus.ratings[0].annotator, notes) == ("007", "1", [])


def test_a_byte_order_mark_is_a_note(tmp_path: Path) -> None:
    corpus, notes = loaded(tmp_path, documents__jsonl=b"\xef\xbb\xbf" + DOCUMENTS.encode())
    assert len(corpus.documents) == 2
    assert notes == ["documents.jsonl: The file starts with a byte order mark, which was left out."]


def test_an_unreadable_file_does_not_hide_or_make_up_other_problems(tmp_path: Path) -> None:
    """With the documents unknown, no summary is blamed for being about one of them."""
    result = problems(
        tmp_path,
        documents__jsonl=DOCUMENTS.encode("utf-16"),
        summaries__jsonl=SUMMARIES + '{"document": "d1", "text": "x"}\n',
    )
    assert result == [
        "documents.jsonl: The file is UTF-16; save it as UTF-8.",
        "summaries.jsonl:4: The field 'system' is missing.",
    ]


def test_two_forms_of_one_table_are_a_problem(tmp_path: Path) -> None:
    (result,) = problems(tmp_path, ratings__csv=RATINGS, ratings__jsonl="{}\n")
    assert result.endswith("There are ratings.csv and ratings.jsonl; keep one of them.")


def test_a_table_in_a_form_that_is_not_read_is_a_problem(tmp_path: Path) -> None:
    result = problems(tmp_path, documents__csv="id,text\n", ratings__xlsx="x")
    assert result == [
        "documents.csv: The file must be documents.jsonl.",
        "ratings.xlsx: The file must be ratings.csv or ratings.jsonl or ratings.parquet.",
    ]


def test_a_backup_of_a_table_is_left_out_with_a_note(tmp_path: Path) -> None:
    corpus, notes = loaded(
        tmp_path, ratings__csv=RATINGS, ratings__csv__bak="x", ratings__old__csv="y"
    )
    assert len(corpus.ratings) == 1
    assert notes == [
        "ratings.csv.bak: The file is not part of the corpus and was left out.",
        "ratings.old.csv: The file is not part of the corpus and was left out.",
    ]


def test_a_file_that_is_no_parquet_is_a_problem(tmp_path: Path) -> None:
    (result,) = problems(tmp_path, ratings__parquet="document,system\n")
    assert result.startswith("ratings.parquet: The file cannot be read as Parquet: ")


def test_ratings_of_a_missing_summary_of_a_known_system_are_a_note(tmp_path: Path) -> None:
    table = RATINGS + "d2,mmr,ann,overall,4\nd2,mmr,ann,focus,4\n"
    corpus, notes = loaded(tmp_path, ratings__csv=table)
    assert len(corpus.ratings) == 3
    assert notes == [
        "ratings.csv:3: There are ratings of a summary that is not there: "
        "of document 'd2' by system 'mmr'."
    ]


def test_without_documents_any_document_may_be_summarised_and_rated(tmp_path: Path) -> None:
    corpus, notes = loaded(tmp_path, documents__jsonl=None, ratings__csv=RATINGS)
    assert corpus.documents == ()
    assert notes == []


def test_highlights_without_documents_are_a_note(tmp_path: Path) -> None:
    _, notes = loaded(tmp_path, documents__jsonl=None, highlights__csv=HIGHLIGHTS)
    assert notes == ["There are highlights, but no texts of the documents that they mark."]


def test_without_summaries_any_system_may_be_rated(tmp_path: Path) -> None:
    corpus, _ = loaded(tmp_path, summaries__jsonl=None, ratings__csv=RATINGS)
    assert len(corpus.ratings) == 1


def test_a_folder_without_documents_and_summaries_is_a_problem(tmp_path: Path) -> None:
    (result,) = problems(tmp_path, documents__jsonl=None, summaries__jsonl=None)
    assert result.endswith("The folder has neither documents.jsonl nor summaries.jsonl.")


def test_highlights_count_across_the_texts_of_a_document(tmp_path: Path) -> None:
    """ "ab", two line feeds, "cd": 6 characters."""
    files = {"documents__jsonl": '{"id": "d1", "texts": ["ab", "cd"]}\n', "summaries__jsonl": None}
    header = "document,annotator,start,end\n"
    corpus, _ = loaded(tmp_path, **files, highlights__csv=header + "d1,ann,4,6\n")
    assert corpus.documents[0].text[4:6] == "cd"
    assert (
        "has 6 characters" in problems(tmp_path, **files, highlights__csv=header + "d1,a,4,7\n")[0]
    )


def test_the_message_shows_fifty_problems_and_counts_the_rest(tmp_path: Path) -> None:
    write(tmp_path, ratings__csv=RATINGS + "d1,lead,ann,focus,x\n" * 60)
    with pytest.raises(CorpusError) as caught:
        load(tmp_path)
    assert len(caught.value.problems) == 60
    assert "... and 10 more" in str(caught.value)


def test_old_macintosh_line_ends_are_read(tmp_path: Path) -> None:
    corpus, _ = loaded(tmp_path, ratings__csv=RATINGS.replace("\n", "\r"))
    assert corpus.ratings[0].value == 4.0


def test_a_cell_of_any_length_is_read(tmp_path: Path) -> None:
    long = "n" * 200_000
    corpus, _ = loaded(tmp_path, ratings__csv=RATINGS + f"d1,lead,{long},overall,4\n")
    assert corpus.ratings[1].annotator == long
