"""The WSGI application that the server calls."""

import os

from django.conf import settings
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "econweb.settings")
# Before the imports below, which have models: a worker that is spawned and not forked begins without any.
django_application = get_wsgi_application()

from econweb.serving.admission import limit_concurrency
from econweb.serving.content_type import remove_content_types
from econweb.serving.preload import preload
from econweb.serving.response_cache import cache_responses

# Django closes connections by thread. Here a slot owns them and checks them itself (serving/admission.py).
for signal in (request_started, request_finished):
    signal.disconnect(close_old_connections)
application = limit_concurrency(django_application)
if settings.RESPONSE_CACHE:
    application = cache_responses(application)
application = remove_content_types(application)
preload()
