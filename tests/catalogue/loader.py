"""Loads folders, each in a child that it kills: in come a folder and seconds, out goes how it ended."""

import os
import signal
import sys
import time
from pathlib import Path

import django
from django.conf import settings

django.setup()

from econweb.catalogue import loading  # noqa: E402  only now are there models

# No connection is open yet, so that each child makes its own.
settings.DATABASES["default"]["NAME"] = sys.argv[1]
for line in sys.stdin:
    folder, seconds = line.split()
    child = os.fork()
    if child == 0:
        loading.load(Path(folder))
        os._exit(0)
    time.sleep(float(seconds))
    os.kill(child, signal.SIGKILL)
    sys.stdout.write(f"{os.waitpid(child, 0)[1]}\n")
    sys.stdout.flush()
