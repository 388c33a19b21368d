"""The entry point of gunicorn and other WSGI servers."""

from __future__ import annotations

from django.core.wsgi import get_wsgi_application

from gistmark.web.config.server.deadlines import with_deadlines
from gistmark.web.config.start import prepare

prepare()
application = with_deadlines(get_wsgi_application())
