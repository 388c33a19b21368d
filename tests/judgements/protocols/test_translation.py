"""Which texts of a preset a study in another language has yet to translate."""

from __future__ import annotations

from dataclasses import replace

from gistmark.judgements import configured, get_protocol, to_mapping, unchanged_texts


def test_what_still_reads_as_in_the_preset_is_named():
    overall = get_protocol("overall")
    assert "instructions" in unchanged_texts(overall)
    german = configured(overall, {"instructions": "Lies die Zusammenfassung."})
    assert "instructions" not in unchanged_texts(german)
    assert "questions" in unchanged_texts(german)


def test_one_question_of_many_that_is_unchanged_counts():
    likert = get_protocol("likert")
    first, *others = likert.dimensions
    changed = configured(
        likert, {"dimensions": {each.name: {"question": "Wie gut?"} for each in others}}
    )
    assert "questions" in unchanged_texts(changed)
    assert "questions" not in unchanged_texts(
        configured(changed, {"dimensions": {first.name: {"question": "Wie gut?"}}})
    )


def test_the_texts_of_blocks_count_too():
    errors = get_protocol("error-spans")
    assert "texts of the blocks" in unchanged_texts(errors)
    blocks = [block for block in to_mapping(errors)["blocks"] if block["type"] != "spans"]
    assert "texts of the blocks" not in unchanged_texts(configured(errors, {"blocks": blocks}))


def test_a_protocol_of_ones_own_has_none():
    assert unchanged_texts(replace(get_protocol("overall"), name="my-own")) == ()
