"""Figures with a limit. Each measurement stores its own, and the summary lists those of all."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from bench.report import FOLDER

BOUNDS = FOLDER / "bounds"
HEAD = "| what | wanted | measured | kept |\n|---|---:|---:|---|"


@dataclass(frozen=True)
class Bound:
    """A measured figure and its limit."""

    what: str
    measured: float
    limit: float
    unit: str
    is_at_least: bool = False

    @property
    def is_kept(self) -> bool:
        return self.measured >= self.limit if self.is_at_least else self.measured <= self.limit

    def row(self) -> str:
        wanted = f"at {'least' if self.is_at_least else 'most'} {_number(self.limit)} {self.unit}"
        return f"| {self.what} | {wanted} | {self.shown()} | {'yes' if self.is_kept else '**no**'} |"

    def shown(self) -> str:
        return f"{_number(self.measured)} {self.unit}"


def report_bounds(name: str, before: Mapping[str, str], bounds: Sequence[Bound]) -> None:
    """Print the bounds as a table, and store them for the summary."""
    print("\n".join([HEAD, *(bound.row() for bound in bounds)]) + "\n")
    stored = {"when": before["when"], "busy": before["busy"], "bounds": [asdict(bound) for bound in bounds]}
    BOUNDS.mkdir(parents=True, exist_ok=True)
    (BOUNDS / f"{name}.json").write_text(json.dumps(stored, indent=1, ensure_ascii=False), encoding="utf-8")


def _number(value: float) -> str:
    """Return the number with three digits that count: 0.44, 12.3, 1,250."""
    return (
        f"{value:,.0f}" if value >= 100 or value == round(value) else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
    )
