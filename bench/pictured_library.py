"""Saved views, frozen copies, watches and news for the pictures, made as a reader makes them."""

import sqlite3
from contextlib import closing
from urllib.parse import quote, urlsplit

from playwright.sync_api import Page

from bench.servers import Server

SETTINGS = {"ECON_MAY_STORE": "true"}
TAGS, LIST, SERIES = "/category/125/tags/?tag_group_id=geo", "/series/?ids=GDP,UNRATE,GNPCA", "/series/GNPCA/"
# Pages without an address of something that was made.
PAGES = {
    "saved-all": "/saved/",
    "saved-mine": "/me/saved/",
    "frozen-all": "/frozen/",
    "frozen-all-none": "/frozen/?q=nothing",
    "frozen-mine": "/me/frozen/",
    "watches": "/me/watches/",
    "watches-none": "/me/watches/?q=nothing",
    "news-all": "/news/",
    "news-mine": "/me/news/",
    "news-none": "/news/?kind=gone&source=series:GDP",
    "save": f"/me/save/?target={quote(TAGS)}",
    "freeze": f"/me/freeze/?target={quote(TAGS)}",
    "freeze-refused": "/me/freeze/?target=/help/",
    "follow": "/me/follow/?target=/release/53/tags/",
    "followed": f"/me/follow/?target={quote(SERIES)}",
    "unsubscribe": "/me/unsubscribe/",
    "check": "/check/",
    "check-ids": "/check/?ids=GDP,UNRATE,GNPCA,HELLO,CPIAUCSL&since=2014-01-01",
    "check-refused": "/check/?ids=GDP&since=soon",
}


def fill(page: Page, server: Server) -> dict[str, str]:
    """Make one of each thing, and return the paths of all pages about them."""
    origin = f"http://127.0.0.1:{server.port}"
    saved = _send(page, f"{origin}{PAGES['save']}", "Save", title="Geography of the trade balance")
    copies = [
        _send(page, f"{origin}/me/freeze/?target={quote(target)}", "Freeze", title=title, reason="Cited in a paper")
        for target, title in ((TAGS, "Table 2"), (LIST, "Appendix A"), (SERIES, "Figure 1"), (TAGS, "A wrong table"))
    ]
    tags, table, series, wrong = (path.replace("/me/frozen/", "/frozen/") for path in copies)
    number = tags.split("/")[2]
    for target in (TAGS, LIST, SERIES):
        _send(page, f"{origin}/me/follow/?target={quote(target)}", "Follow")
    _add_news(server)
    _send(page, f"{origin}/me{wrong}withdraw", "Withdraw", reason="The wrong category")
    return PAGES | {
        "saved": saved,
        "saved-edit": f"/me{saved}edit/" if saved.startswith("/saved/") else f"{saved}edit/",
        "frozen-tags": tags,
        "frozen-mine-one": f"/me{tags}",
        "frozen-list": table,
        "frozen-series": series,
        "frozen-withdrawn": wrong,
        "frozen-check": f"{tags}check",
        "frozen-edit": f"/me{tags}edit",
        "frozen-withdraw": f"/me{tags}withdraw",
        "compare-frozen": f"/compare/?a=frozen:{number}&b=category:125",
    }


def _send(page: Page, url: str, button: str, **fields: str) -> str:
    """Fill in and send the form of the address, and return the path that follows."""
    page.goto(url)
    for name, value in fields.items():
        page.locator(f"main [name={name}]").fill(value)
    if page.locator("main [name=audience]").count():
        page.locator("main [name=audience]").select_option(label="Everyone")
    with page.expect_navigation():
        page.get_by_role("main").get_by_role("button", name=button, exact=True).first.click()
    return urlsplit(page.url).path


def _add_news(server: Server) -> None:
    """Add one change of each followed source: the program itself needs two looks at a service that changes."""
    with closing(sqlite3.connect(server.folder / "data" / "econweb.sqlite3", timeout=30)) as database, database:
        sources = database.execute("SELECT id, kind FROM watching_watchedsource ORDER BY id").fetchall()
        for source, kind in sources:
            name, field = ("usa", "notes") if kind == "category" else ("", "title")
            found = database.execute(
                "INSERT INTO watching_announcement (source_id, kind, before, seen, confirmed, facts)"
                " VALUES (?, 'changed', '2026-11-02 04:10', '2026-11-09 04:10', '2026-11-10 04:10', 1)",
                [source],
            ).lastrowid
            database.execute(
                'INSERT INTO watching_changedfact (announcement_id, name, "group", field, before, after)'
                " VALUES (?, ?, '', ?, 'Gross product', 'Real gross product of the nation')",
                (found, name, field),
            )
            database.execute(
                "INSERT INTO watching_watch_news (watch_id, announcement_id)"
                " SELECT watch_id, ? FROM watching_watch_sources WHERE watchedsource_id = ?",
                (found, source),
            )
