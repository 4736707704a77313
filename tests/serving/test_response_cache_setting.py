"""`RESPONSE_CACHE=false` sends every request through Django and changes no byte of a page."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
# Each page twice through the application that the server calls.
REQUESTS = """
import django; django.setup()
import re
from django.core.management import call_command
from django.core.signals import request_started
from econweb.startup.static_files import collectstatic_if_changed
call_command("migrate", verbosity=0)
collectstatic_if_changed()
from econweb.startup.load_catalogue import load_sample_if_due
load_sample_if_due()
from econweb.wsgi import application
from django.test import RequestFactory

requests = []
count = lambda **given: requests.append(given["environ"]["PATH_INFO"])
request_started.connect(count)
for path in ("/", "/series/GNPCA/", "/release/53/tags/?limit=20"):
    for _ in range(2):
        sent, headers = [], {"X-Request-ID": "one"}
        environ = RequestFactory().get(path, headers=headers).environ
        del environ["HTTP_COOKIE"]
        body = b"".join(application(environ, lambda *given: sent.append(given)))
        headers = sorted(header for header in sent[0][1] if header[0] != "ETag")
        # Pages show when they were fetched, and the ETag follows from it.
        print(repr((path, sent[0][0], headers, re.sub(rb"[0-9:.+T-]{5,}", b"", body))))
print("requests to Django", sum(path in {"/", "/series/GNPCA/", "/release/53/tags/"} for path in requests))
"""


def run(folder: Path, response_cache: str) -> list[str]:
    environment = {
        "PATH": os.environ["PATH"],
        "DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "econweb.settings",
        "SECRET_KEY": "test" * 10,
        "ALLOWED_HOSTS": "testserver",
        "RESPONSE_CACHE": response_cache,
    }
    command = [sys.executable, "-c", REQUESTS]
    return subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    ).stdout.splitlines()


def test_pages_are_the_same_bytes_without_the_response_cache(tmp_path: Path) -> None:
    cached, uncached = run(tmp_path, "true"), run(tmp_path, "false")

    assert cached[-1] == "requests to Django 3"
    assert uncached[-1] == "requests to Django 6"
    assert all("'200 OK'" in line for line in cached[:-1])
    assert cached[:-1] == uncached[:-1]
