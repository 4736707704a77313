"""The floor: a Django view without middleware that sends finished bytes, on the server of the program."""

import os
from pathlib import Path

from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path

BODIES = {file.name: file.read_bytes() for file in Path(os.environ["BODIES"]).glob("*")}


def body(request: HttpRequest, name: str) -> HttpResponse:
    if name not in BODIES:
        raise Http404
    return HttpResponse(BODIES[name], content_type="text/html; charset=utf-8")


def ready(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"ok")


urlpatterns = [path("healthz", ready), path("body/<str:name>", body)]
settings.configure(ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, USE_I18N=False, MIDDLEWARE=[])
application = get_wsgi_application()
