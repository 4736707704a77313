"""Write figures as a Markdown table and as a JSON file, both with the machine and the versions."""

import json
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bench.measure import Figures
from bench.servers import CORES, ROOT

FOLDER = Path(os.environ.get("DATA_DIR", ROOT / "var")) / "bench"


def machine() -> dict[str, str]:
    """Return what the figures belong to; `busy` is the load average, which should be small before a measurement."""
    model = Path("/proc/cpuinfo").read_text().partition("model name")[2].partition(":")[2].partition("\n")[0]
    return {
        "when": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "machine": f"{len(CORES)} cores, {model.strip() or platform.machine()}, Linux {platform.release()}",
        "busy": " ".join(f"{load:.1f}" for load in os.getloadavg()),
        "python": platform.python_version(),
        "django": version("django"),
        "granian": version("granian"),
    }


def print_machine(before: Mapping[str, str]) -> None:
    """Print the line that belongs above a table."""
    print(", ".join(f"{key} {value}" for key, value in before.items()) + "\n")


def report(name: str, figures: Mapping[str, Figures], before: Mapping[str, str], **more: Any) -> None:
    """`before` is the machine as it was when the measurement began; `more` are single figures."""
    print_machine(before)
    print("| what | CPU µs | requests/s | p50 ms | p99 ms | bytes | statuses | lost |")
    print("|---|---:|---:|---:|---:|---:|---|---:|")
    for what, row in figures.items():
        times = f"{row.cpu_us:,.0f} | {row.per_second:,.0f} | {row.p50_ms:.2f} | {row.p99_ms:.2f}"
        print(f"| {what} | {times} | {row.size:,.0f} | {' '.join(row.statuses)} | {row.lost} |")
    print()
    for what, value in more.items():
        print(f"- {what.replace('_', ' ')}: {value}")
    kept = {"machine": before, "figures": {what: asdict(row) for what, row in figures.items()}, **more}
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}-{datetime.now(UTC):%Y%m%d-%H%M%S}.json"
    path.write_text(json.dumps(kept, indent=1, ensure_ascii=False), encoding="utf-8")
    print(f"{name}: {path}", file=sys.stderr)
