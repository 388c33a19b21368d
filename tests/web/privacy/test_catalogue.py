"""Every model and field is in the catalogue of personal data, or named with a reason."""

from __future__ import annotations

from django.apps import apps
from django.db.models import Field, Model

from gistmark.web.accounts.models import User
from gistmark.web.privacy.catalogue import BY_NAME, IMPERSONAL, PERSONAL

WITH_MUCH_ELSE = {"campaigns.Campaign", "crowd.MarketAccount", "notices.Webhook"}
"""Models of which only what is about a person is named field by field."""


def models() -> dict[str, type[Model]]:
    own = (model for model in apps.get_models() if model.__module__.startswith("gistmark."))
    return {model._meta.label: model for model in own}


def fields_of(model: type[Model]) -> dict[str, Field]:
    stored = (*model._meta.concrete_fields, *model._meta.many_to_many)
    return {field.name: field for field in stored if not field.primary_key}


def test_every_model_is_named_once():
    named = [{each.model for each in PERSONAL}, set(BY_NAME), set(IMPERSONAL)]
    assert set().union(*named) == set(models())
    assert sum(map(len, named)) == len(models())


def test_models_that_are_not_personal_do_not_know_people():
    for label in IMPERSONAL:
        related = [f.name for f in fields_of(models()[label]).values() if f.related_model is User]
        assert not related, label


def test_every_field_of_a_personal_model_is_exported_or_withheld_for_a_reason():
    for label in sorted({each.model for each in PERSONAL}):
        entries = [each for each in PERSONAL if each.model == label]
        for entry in entries:
            named = {path.partition("__")[0] for path in (*entry.shown, *entry.later)}
            named |= {*entry.withheld, entry.person.partition("__")[0]} - {"pk"}
            known = set(fields_of(models()[label]))
            assert named <= known, (label, named - known)
            if not entry.rest and entry is entries[0]:
                assert named == known, (label, known - named)
        assert bool(entries[0].rest) == (label in WITH_MUCH_ELSE)


def test_every_relation_to_people_is_followed():
    for label, model in models().items():
        for name, field in fields_of(model).items():
            if field.related_model is not User:
                continue
            followed = [each for each in PERSONAL if each.model == label and each.person == name]
            assert followed, f"{label}.{name}"


def test_no_reason_is_empty_and_no_file_has_two_meanings():
    reasons = [reason for each in PERSONAL for reason in each.withheld.values()]
    assert all((*reasons, *IMPERSONAL.values(), *BY_NAME.values()))
    files = [each.file for each in PERSONAL]
    assert len(files) == len(set(files))
