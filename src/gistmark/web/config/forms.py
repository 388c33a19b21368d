"""How forms look everywhere: each field with its label, its hint and what is wrong with it."""

from __future__ import annotations

from django.forms.renderers import TemplatesSetting


class Renderer(TemplatesSetting):
    """Renders `{{ form }}` and `{{ field.as_field_group }}` with the platform's templates."""

    form_template_name = "forms/form.html"
    field_template_name = "forms/field.html"
