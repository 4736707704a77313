"""What templates name is there: outside of tests an unknown file breaks the page that names it."""

import re

from django.conf import settings
from django.contrib.staticfiles import finders


def test_every_static_file_that_a_template_names_exists() -> None:
    texts = [path.read_text() for path in (settings.BASE_DIR / "templates").rglob("*.html")]
    named = {name for text in texts for name in re.findall(r"""static\(["']([^"']+)""", text)}

    assert "econweb.css" in named
    assert {name for name in named if finders.find(name) is None} == set()
