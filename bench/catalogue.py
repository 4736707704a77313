"""The embedded service at full scale: what an answer costs, and what a load costs.

    python -m bench.catalogue [--series 82500] [--folder FOLDER] [--group-by]

Full scale takes some six minutes, a tenth of it three. The folder keeps the made-up files, so that a second
run need not make them again. `--group-by` puts beside it what the same question costs three databases; it
needs PostgreSQL on the machine.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import Path

from bench.bounds import Bound, report_bounds
from bench.group_by import counted_each_time
from bench.index import index_pages, wait_for_index
from bench.measure import Figures, Subject, compare
from bench.report import machine, report
from bench.servers import GRANIAN, ROOT, SERVER_CORES, Server, econweb, serving

LARGEST = "release/tags?release_id=1&sort_order=desc"
JSON = f"{LARGEST}&file_type=json"
ASKED = {
    "today, JSON": JSON,
    "today, XML": LARGEST,
    "a past day": f"{JSON}&realtime_start={{day}}&realtime_end={{day}}",
    "ten years": f"{JSON}&realtime_start=2005-06-30&realtime_end={{day}}",
    "one group": f"{JSON}&tag_group_id=gen",
    "two names": f"{JSON}&tag_names=monthly;source+2",
    "a search": f"{JSON}&search_text=tra",
    "a search of one letter": f"{JSON}&search_text=n",
    "by created": f"{JSON}&order_by=created",
    "deep offset": f"{JSON}&offset=4000",
}
NEW = 600


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the embedded service.")
    parser.add_argument("--series", type=int, default=825_000)
    parser.add_argument("--folder", type=Path, help="where the made-up files are kept")
    parser.add_argument("--group-by", action="store_true", help="ask three databases as well")
    options = parser.parse_args()
    before = machine()
    with tempfile.TemporaryDirectory(prefix="econweb-bench-") as scratch:
        files = options.folder or Path(scratch, "files")
        settings = {"DATA_DIR": scratch, "SECRET_KEY": "bench" * 10, "LOG_FORMAT": "json"}
        if not (files / "series_categories.csv").exists():
            _manage(settings, "make_catalogue", "--series", str(options.series), str(files))
        _manage(settings, "migrate", "-v0")
        more = {"load": _load(settings, files)}
        key = _manage(settings, "api_key", "create", "bench").strip()
        bodies = Path(scratch, "bodies")
        bodies.mkdir()
        with econweb(settings, cores=SERVER_CORES) as server:
            # The index of tags is filled first: its threads would count as work for the requests.
            more |= wait_for_index(server, Path(scratch, "econweb.sqlite3"))
            (bodies / "tags").write_bytes(server.get(f"/econ/{JSON}&api_key={key}").body)
            command = [sys.executable, *GRANIAN, "bench.bare:application"]
            with serving(command, {"BODIES": str(bodies)}, cores=SERVER_CORES) as bare:
                figures = compare(_subjects(server, bare, key) | index_pages(server))
        if options.group_by:
            more |= counted_each_time(files)
        report("catalogue", figures, before, series=options.series, **more)
        report_bounds("catalogue", before, bounds(figures))


def bounds(figures: Mapping[str, Figures]) -> list[Bound]:
    never = ("the page of a tag, never opened before", "a page of similar ones, never opened before")
    return [Bound(f"{name}, processor time", figures[name].cpu_us / 1000, 15, "ms") for name in never]


def _subjects(server: Server, bare: Server, key: str) -> dict[str, Subject]:
    """Repeated, and new: another past day, and a parameter that is ignored, make a question never asked."""
    subjects = {"a bare view, same bytes": Subject(bare, ["/body/tags"])}
    for name, asked in ASKED.items():
        days = [date(2015, 6, 30) - timedelta(days=number) for number in range(NEW)]
        paths = [f"/econ/{asked.format(day=day)}&api_key={key}" for day in days]
        subjects[f"{name}, repeated"] = Subject(server, paths[:1])
        new = [f"{path}&n={number}" for number, path in enumerate(paths)]
        subjects[f"{name}, new"] = Subject(server, new, once=True)
    return subjects


def _load(settings: dict[str, str], files: Path) -> str:
    begun = time.monotonic()
    command = [sys.executable, "manage.py", "load_catalogue", str(files)]
    # Its messages are no part of the tables.
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **settings}, stdout=sys.stderr)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit("The load failed.")
    seconds, processor = time.monotonic() - begun, used.ru_utime + used.ru_stime
    return f"{seconds:.1f} s, {processor:.1f} s of processor time, {used.ru_maxrss / 1024:.0f} MiB at most"


def _manage(settings: dict[str, str], *arguments: str) -> str:
    command = [sys.executable, "manage.py", *arguments]
    ran = subprocess.run(
        command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True, env={**os.environ, **settings}
    )
    return ran.stdout


if __name__ == "__main__":
    main()
