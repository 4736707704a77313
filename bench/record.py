"""Run one measurement, print its tables, and write them into docs/performance.md (`figures`: into README.md).

python -m bench.record NAME [ARGUMENTS]    NAME is one of RUNS; the arguments go to its module
"""

import subprocess
import sys
from pathlib import Path

from bench.servers import ROOT

RUNS = {
    "pages": ("bench.pages",),
    "upstream": ("bench.upstream",),
    "files": ("bench.files",),
    "memory": ("bench.memory",),
    "catalogue": ("bench.catalogue",),
    "search": ("bench.search",),
    "library": ("bench.library",),
    "watching": ("bench.watching",),
    "peers": ("bench.peers.compare",),
    "databases": ("bench.catalogue", "--group-by"),
    "ways": ("bench.ways",),
    "drills": ("bench.drills",),
    "summary": ("bench.summary",),
    "figures": ("bench.summary", "--readme"),
}


def document_of(name: str) -> Path:
    return ROOT / "README.md" if name == "figures" else ROOT / "docs" / "performance.md"


def replace_block(document: str, name: str, tables: str) -> str:
    """Return the document with the text between the two markers of the name replaced."""
    begin, end = f"<!-- begin {name} -->", f"<!-- end {name} -->"
    before, found, rest = document.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise SystemExit(f"The document has no block called {name}.")
    return f"{before}{begin}\n\n{tables.strip()}\n\n{end}{after}"


def main() -> None:
    name, *arguments = sys.argv[1:] or [""]
    if name not in RUNS:
        raise SystemExit(f"Name one of {', '.join(RUNS)}.")
    ran = subprocess.run(
        [sys.executable, "-m", *RUNS[name], *arguments], cwd=ROOT, check=False, stdout=subprocess.PIPE, text=True
    )
    print(ran.stdout)
    if ran.returncode:
        raise SystemExit(ran.returncode)
    document = document_of(name)
    document.write_text(replace_block(document.read_text("utf-8"), name, ran.stdout), "utf-8")


if __name__ == "__main__":
    main()
