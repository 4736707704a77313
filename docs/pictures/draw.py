"""Draws the pictures of the documentation: serves the sample, opens each page, and keeps what is seen."""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import Browser, sync_playwright

HERE = Path(__file__).resolve().parent
ADDRESS = "http://127.0.0.1:8799"
PICTURES: list[tuple[str, str, int, Literal["light", "dark"]]] = [
    ("home", "/", 1024, "light"),
    ("series", "/series/GNPCA/?realtime_start=1990-01-01", 1100, "light"),
    ("tags", "/category/125/tags/", 1100, "light"),
    ("tags-dark", "/release/53/tags/?tag_group_id=gen", 1100, "dark"),
    ("tags-phone", "/category/125/tags/?tag_group_id=gen&limit=25", 375, "light"),
    ("nothing", "/category/125/tags/?tag_group_id=geo&tag_names=annual", 1024, "light"),
]


@contextmanager
def served(data: str) -> Iterator[None]:
    command = [sys.executable, "manage.py", "serve", "--port", ADDRESS.rpartition(":")[2]]
    environment = {**os.environ, "DATA_DIR": data}
    process = subprocess.Popen(command, cwd=HERE.parent.parent, env=environment)  # noqa: S603  our own
    try:
        for _ in range(300):
            try:
                urlopen(ADDRESS).close()
                break
            except URLError:
                time.sleep(0.2)
        yield
    finally:
        process.terminate()
        process.wait()


def draw(browser: Browser, name: str, path: str, width: int, theme: Literal["light", "dark"]) -> None:
    page = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=theme)
    page.goto(ADDRESS + path)
    whole = min(int(page.evaluate("document.documentElement.scrollHeight")), 900)
    page.set_viewport_size({"width": width, "height": whole})
    page.screenshot(path=HERE / f"{name}.png")
    page.close()


def main() -> None:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as data, served(data), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        for name, path, width, theme in PICTURES:
            draw(browser, name, path, width, theme)
        browser.close()


if __name__ == "__main__":
    main()
