"""Templates without their indentation, which is there for those who write them."""

import re

from django.template import Origin
from django.template.loaders import filesystem


class Loader(filesystem.Loader):
    """Done once for each template; what a page puts into one keeps its own blanks."""

    def get_contents(self, origin: Origin) -> str:
        return re.sub(r"\n\s+", "\n", super().get_contents(origin))
