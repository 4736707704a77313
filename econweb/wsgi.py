"""The WSGI application that the server calls."""

import os

from django.core.cache import close_caches
from django.core.handlers.base import reset_urlconf
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, reset_queries

from econweb.finished import finished_answers
from econweb.room import with_room
from econweb.warm import warm

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "econweb.settings")
# A place looks after the connections that it lends (room.py): to look for them by thread takes longer.
# Queries are written down under DEBUG alone, and only so many; neither of our caches has anything to close;
# and no request has URLs of its own.
for receiver in (close_old_connections, reset_queries, close_caches, reset_urlconf):
    for signal in (request_started, request_finished):
        signal.disconnect(receiver)
application = finished_answers(with_room(get_wsgi_application()))
warm()
