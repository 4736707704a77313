"""The settings of a test run: nothing of this machine's environment, nothing kept in the checkout."""

import atexit
import os
import re
import shutil
import tempfile
from pathlib import Path

from econweb.config import environment

_documented = re.findall(r"^#(\w+)=", Path(".env.example").read_text(encoding="utf-8"), re.MULTILINE)
for _name in [*_documented, *(f"{name}_FILE" for name in _documented)]:
    os.environ.pop(_name, None)
environment.read_dot_env = lambda path: None

if _database := os.environ.get("ECONWEB_TEST_DATABASE"):
    os.environ["DATABASE_URL"] = _database
os.environ["DATA_DIR"] = tempfile.mkdtemp(prefix="econweb-tests-")
atexit.register(shutil.rmtree, os.environ["DATA_DIR"], ignore_errors=True)

from econweb.settings import *  # noqa: E402

Path(STATIC_ROOT).mkdir()  # noqa: F405  whitenoise warns of a folder that is not there
if not _database:
    # A file, because threads that share a database in memory lock each other out.
    # NAME says where it is: pytest makes a file of its own.
    del DATABASES["default"]["OPTIONS"]["database"]  # type: ignore[attr-defined]  # noqa: F405
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}  # noqa: F405
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}  # noqa: F405
CATALOGUE_RECHECK_SECONDS = LABELS_RECHECK_SECONDS = 0.0
# A real one takes a quarter of a second of processor time on purpose.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
