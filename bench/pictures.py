"""Draw every page at five widths and in both themes, with ordinary, empty and absurd data.

python -m bench.pictures [FOLDER]    without a folder, a new temporary one; its name is printed
"""

import os
import shutil
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import django
from playwright.sync_api import Browser, FloatRect, Page, sync_playwright

from bench import pictured_library
from bench.servers import ROOT, econweb

sys.path.insert(0, str(ROOT))
os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
django.setup()

from tests.browser.hostile_texts import HOSTILE  # noqa: E402
from tests.browser.served import HOSTILE_CATEGORY, PASSWORD, USERNAME, portal  # noqa: E402
from tests.fake_service import a_tag  # noqa: E402

WIDTHS = (320, 390, 768, 1024, 1440)
# A page of many rows goes on like this for ever.
MAX_HEIGHT = 3_000
# The sample that the program brings along.
ORDINARY = {
    "home": "/",
    "browse": "/browse/",
    "browse-categories": "/browse/categories/",
    "browse-releases": "/browse/releases/",
    "help": "/help/",
    "about": "/about/",
    "results": "/go?q=price",
    "results-none": "/go?q=no+such+thing",
    "tags": "/category/125/tags/",
    "tags-filtered": "/release/53/tags/?tag_group_id=gen&search_text=in&order_by=name",
    "tags-nothing": "/category/125/tags/?tag_group_id=geo&tag_names=annual",
    "tags-past": "/category/125/tags/?realtime_start=1990-01-01&realtime_end=1990-12-31",
    "profile": "/release/53/tags/profile",
    "tags-code": "/category/125/tags/code",
    "series": "/series/GNPCA/",
    "series-past": "/series/GNPCA/?realtime_start=1990-01-01",
    "series-refused": "/series/GNPCA/?realtime_start=soon",
    "series-unknown": "/series/NOSUCHID/",
    "series-code": "/series/GNPCA/code",
    "list": "/series/?ids=GDP,UNRATE,CPIAUCSL,GNPCA,FEDFUNDS,HELLO",
    "compare": "/compare/?a=category:125&b=release:53",
    "compare-dates": "/compare/?a=series:GNPCA@2014-01-01&b=series:GNPCA",
    "nowhere": "/nowhere/",
    "search": "/search/?q=unemployment",
    "search-none": "/search/?q=no+such+words",
    "me": "/me/",
    "changes": "/changes/",
    "names-one": "/me/names/category/125/",
    "names-many": "/me/names/",
    # These need the index, which is complete by now.
    "browse-overview": "/browse/overview/",
    "browse-tags": "/browse/tags/",
    "tag": "/tag/quarterly/",
    "similar": "/category/125/similar/",
}
# The stand-in service of the browser tests, without labels and with accounts.
EMPTY = {
    "sign-in": "/sign-in/",
    "me": "/me/",
    "home": "/",
    "browse": "/browse/",
    "tags": "/category/9/tags/",
    "profile": "/category/9/tags/profile",
    "list": "/series/",
    "list-none": "/series/?ids=UNKNOWN",
    "compare": "/compare/",
    "compare-none": "/compare/?a=category:9&b=category:9@2020-01-01",
}
# The same service with an account that is signed in.
SIGNED_IN = {
    "me": "/me/",
    "password": "/me/password/",
    "assistants": "/me/assistants/",
    "changes": "/changes/",
}
# The same service: words without a blank, long notes, markup in names, negative numbers.
ABSURD = {
    "browse": "/browse/",
    "tags": "/category/8/tags/",
    "tags-hostile": "/category/6/tags/",
    "profile": "/category/8/tags/profile",
    "series": "/series/ABSURD/",
    "series-versions": "/series/VERSIONS/?realtime_start=2014-01-01&realtime_end=9999-12-31",
    "list": "/series/?ids=VERSIONS,ABSURD,UNRATE,UNKNOWN&columns=title,notes",
    "compare": "/compare/?a=category:16&b=category:8&c=category:9",
    "compare-series": "/compare/?a=series:ABSURD&b=series:VERSIONS",
}


def draw(page: Page, address: str, paths: Mapping[str, str], folder: Path) -> None:
    """Draw each page into a file called PAGE-WIDTH-THEME.png."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, path in paths.items():
        page.set_viewport_size({"width": WIDTHS[-1], "height": 900})
        page.goto(address + path, wait_until="networkidle")
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            height = min(int(page.evaluate("document.documentElement.scrollHeight")), MAX_HEIGHT)
            for theme in ("light", "dark"):
                page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
                clip = FloatRect(x=0, y=0, width=width, height=height)
                page.screenshot(path=folder / f"{name}-{width}-{theme}.png", full_page=True, clip=clip)
    page.context.close()


def draw_all(browser: Browser, folder: Path) -> None:
    with econweb() as server:
        draw(browser.new_page(), f"http://127.0.0.1:{server.port}", ORDINARY, folder / "ordinary")
    with econweb(pictured_library.SETTINGS) as server:
        page = browser.new_page()
        paths = pictured_library.fill(page, server)
        draw(page, f"http://127.0.0.1:{server.port}", paths, folder / "library")
    with portal(has_labels=False, SIGN_IN="password") as bare:
        draw(browser.new_page(), bare.url, EMPTY, folder / "empty")
    with portal(SIGN_IN="password") as full:
        page = browser.new_page()
        page.goto(f"{full.url}/sign-in/")
        page.get_by_label("Name", exact=True).fill(USERNAME)
        page.get_by_label("Password", exact=True).fill(PASSWORD)
        page.get_by_role("main").get_by_role("button", name="Sign in").click()
        page.wait_for_url(lambda url: "sign-in" not in url)
        draw(page, full.url, SIGNED_IN, folder / "signed-in")
        full.service.has("category", HOSTILE_CATEGORY, [a_tag(text, notes=text) for text in HOSTILE.values()])
        draw(browser.new_page(), full.url, ABSURD, folder / "absurd")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="econweb-pictures-")).absolute()
    if folder.is_relative_to(ROOT):
        raise SystemExit("Name a folder outside the repository.")
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        draw_all(browser, folder)
        browser.close()
    print(f"{len(list(folder.rglob('*.png')))} pictures are in {folder}")


if __name__ == "__main__":
    main()
