"""What the first reader would otherwise wait for is done before there is one."""

import gc

from django.conf import settings
from django.template.loader import get_template
from django.urls import resolve

from econweb.dashboard.etags import edition
from econweb.upstream import service


def warm() -> None:
    """Also, a process that runs short of files later does not have to read modules and templates then."""
    resolve("/")
    for path in (settings.BASE_DIR / "templates").glob("*.html"):
        get_template(path.name)
    edition()
    # Of many threads that come first at once each would make one, with bounds of its own.
    service.upstream()
    # What is there now stays for ever; the collector, for which everything stops, need not look at it.
    gc.collect()
    gc.freeze()
