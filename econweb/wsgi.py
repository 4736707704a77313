"""The WSGI application that the server calls."""

import os

from django.core.wsgi import get_wsgi_application

from econweb.finished import finished_answers
from econweb.room import with_room
from econweb.warm import warm

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "econweb.settings")
application = finished_answers(with_room(get_wsgi_application()))
warm()
