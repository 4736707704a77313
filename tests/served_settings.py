"""The settings of servers that tests start: as installed, but one of them compiles the templates for all."""

import os
import sys

from jinja2 import FileSystemBytecodeCache

# A test library brings it, and structlog loads it where it is. No installed program has it.
sys.modules["rich"] = None  # type: ignore[assignment]

from econweb.settings import *  # noqa: E402

_folder = os.environ["COMPILED_TEMPLATES"]
TEMPLATES[0]["OPTIONS"]["bytecode_cache"] = FileSystemBytecodeCache(_folder)  # type: ignore[index]  # noqa: F405
