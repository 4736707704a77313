"""Let Lighthouse, axe and html-validate judge the pages, and print what they say as one table.

python -m bench.judge [PAGE...]    PAGE is one of PAGES; without one, all

It ends with 1 when a score other than performance is below 100, axe or html-validate finds something, or a page
moves. Performance depends on the machine, so it is shown and decides nothing.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from bench.report import machine, print_machine
from bench.servers import ROOT, Server, econweb

sys.path.insert(0, str(ROOT))

from tests.browser.axe import find_violations_in_both_themes

PAGES = {
    "home": "/",
    "browse": "/browse/",
    "tags": "/category/125/tags/",
    "tags-1000": "/release/53/tags/",
    "series": "/series/GNPCA/",
    "list": "/series/?ids=GDP,UNRATE,CPIAUCSL,GNPCA,FEDFUNDS",
    "compare": "/compare/?a=category:125&b=release:53",
    "help": "/help/",
    "search": "/search/?q=unemployment",
    "tag": "/tag/quarterly/",
    "all-tags": "/browse/tags/",
    "overview": "/browse/overview/",
    "similar": "/category/125/similar/",
}
WINDOWS = {"desktop": (1350, ["--preset=desktop"]), "mobile": (412, [])}
# Both are programs of Node; npm puts them into a folder of the user's cache, never into the repository.
PROGRAMS = ["lighthouse@12.8.2", "html-validate@10.17.0"]
# On a busy machine Lighthouse sometimes records no trace, and asks to be run again.
TRIES = 3
FOLDER = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "econweb-judge"
CATEGORIES = {"performance": "speed", "accessibility": "access", "best-practices": "practices", "seo": "search"}


@dataclass
class Verdict:
    """Return the findings about one page in one window; a missing judge has none."""

    scores: dict[str, int] = field(default_factory=dict)
    shift: float | None = None
    faults: dict[str, list[str]] = field(default_factory=dict)

    def passes(self) -> bool:
        decisive = [score for name, score in self.scores.items() if name != "performance"]
        return min(decisive, default=100) == 100 and not any(self.faults.values()) and round(self.shift or 0, 2) == 0

    def cells(self) -> list[str]:
        scores = [str(self.scores.get(name, "—")) for name in CATEGORIES]
        found = [str(len(self.faults[judge])) if judge in self.faults else "—" for judge in ("axe", "html-validate")]
        return [*scores, "—" if self.shift is None else f"{self.shift:.3f}", *found]


def install_programs() -> Path | None:
    """Return the folder of the programs of Node, or None without Node."""
    if not shutil.which("npm"):
        print("Node is not installed, so Lighthouse and html-validate are left out (on Debian: apt install npm).\n")
        return None
    marker, wanted = FOLDER / "installed", " ".join(PROGRAMS)
    if not marker.exists() or marker.read_text() != wanted:
        FOLDER.mkdir(parents=True, exist_ok=True)
        quiet = ["--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run(["npm", "install", *quiet, "--prefix", str(FOLDER), *PROGRAMS], check=True, stdout=sys.stderr)
        marker.write_text(wanted)
    return FOLDER / "node_modules" / ".bin"


def ask_lighthouse(programs: Path, chromium: str, url: str, arguments: Sequence[str], verdict: Verdict) -> None:
    flags = ["--quiet", "--output=json", "--chrome-flags=--headless=new --no-sandbox --disable-gpu"]
    command = [str(programs / "lighthouse"), url, *flags, f"--only-categories={','.join(CATEGORIES)}", *arguments]
    environment = {**os.environ, "CHROME_PATH": chromium}
    for _ in range(TRIES):
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if not ran.returncode:
            break
    else:
        raise SystemExit(f"Lighthouse failed for {url}:\n{ran.stderr}")
    report = json.loads(ran.stdout)
    verdict.scores = {name: round(100 * report["categories"][name]["score"]) for name in CATEGORIES}
    verdict.shift = report["audits"]["cumulative-layout-shift"]["numericValue"]
    verdict.faults["lighthouse"] = list(_lost_points(report))


def _lost_points(report: dict[str, Any]) -> Iterator[str]:
    """Yield the audits that cost points, outside of performance."""
    for name in CATEGORIES:
        for part in report["categories"][name]["auditRefs"] if name != "performance" else []:
            audit = report["audits"][part["id"]]
            if part["weight"] and audit["score"] is not None and audit["score"] < 1:
                yield f"{name}: {audit['id']}: {audit['title']}"


def ask_html_validate(programs: Path, html: bytes) -> list[str]:
    page = FOLDER / "page.html"
    page.write_bytes(html)
    command = [str(programs / "html-validate"), "--preset", "standard", "--formatter", "json", str(page)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode and not ran.stdout.startswith("["):
        raise SystemExit(f"html-validate failed:\n{ran.stderr}")
    messages = [message for file in json.loads(ran.stdout or "[]") for message in file["messages"]]
    return [f"{each['ruleId']} in line {each['line']}: {each['message']}" for each in messages]


def ask_axe(browser: Browser, url: str, width: int) -> list[str]:
    page = browser.new_page(viewport={"width": width, "height": 900})
    page.goto(url)
    found = find_violations_in_both_themes(page)
    page.close()
    return found


def judge(server: Server, browser: Browser, programs: Path | None, path: str) -> Iterator[tuple[str, Verdict]]:
    url = f"http://127.0.0.1:{server.port}{path}"
    # The first request of a page fills the caches.
    html = server.get(path).body
    written = ask_html_validate(programs, html) if programs else None
    for window, (width, arguments) in WINDOWS.items():
        verdict = Verdict()
        if programs and written is not None:
            ask_lighthouse(programs, browser.browser_type.executable_path, url, arguments, verdict)
            verdict.faults["html-validate"] = written
        verdict.faults["axe"] = ask_axe(browser, url, width)
        yield window, verdict


def main() -> None:
    names = sys.argv[1:] or list(PAGES)
    if unknown := set(names) - set(PAGES):
        raise SystemExit(f"There is no page {', '.join(unknown)}: name some of {', '.join(PAGES)}.")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not chromium:
        raise SystemExit("Chromium is not installed (on Debian: apt install chromium).")
    programs, found = install_programs(), {}
    print_machine(machine())
    print(f"| page | window | {' | '.join(CATEGORIES.values())} | shift | axe | html |")
    print("|---|---|---:|---:|---:|---:|---:|---:|---:|")
    with econweb() as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name in names:
            for window, verdict in judge(server, browser, programs, PAGES[name]):
                print(f"| {name} | {window} | {' | '.join(verdict.cells())} |", flush=True)
                found[name, window] = verdict
        browser.close()
    for (name, window), verdict in found.items():
        for what, faults in verdict.faults.items():
            print(*(f"\n{name}, {window}: {what}: {fault}" for fault in dict.fromkeys(faults)), sep="", end="")
    print()
    raise SystemExit(0 if all(verdict.passes() for verdict in found.values()) else 1)


if __name__ == "__main__":
    main()
