"""The style sheet and the script that browsers load: one file each, without what browsers pass over."""

from pathlib import Path

from django.conf import settings

from econweb.startup.bundles import SCRIPTS, STYLES, bundle_static_files


def test_bundle_has_every_rule_and_no_comment() -> None:
    bundle_static_files()
    bundle = Path(settings.DATA_DIR, "made", "econweb.css").read_text(encoding="utf-8")
    sheets = [Path(settings.BASE_DIR, "static", "styles", f"{name}.css").read_text(encoding="utf-8") for name in STYLES]

    assert "/*" not in bundle
    for sign in "{};":
        assert bundle.count(sign) == sum(text.count(sign) for text in sheets) - in_comments(sheets, sign)
    assert len(bundle) < 0.9 * sum(map(len, sheets))


def test_bundle_has_every_line_of_code_and_no_comment_line() -> None:
    bundle_static_files()
    bundle = Path(settings.DATA_DIR, "made", "econweb.js").read_text(encoding="utf-8")
    folder = Path(settings.BASE_DIR, "static", "scripts")
    lines = "\n".join((folder / f"{name}.js").read_text(encoding="utf-8") for name in SCRIPTS).splitlines()

    # Between the line that opens the function, "use strict", and the line that ends it.
    assert bundle.splitlines()[2:-1] == [line for line in lines if not line.strip().startswith("//")]


def in_comments(sheets: list[str], sign: str) -> int:
    return sum(part.partition("*/")[0].count(sign) for text in sheets for part in text.split("/*")[1:])
