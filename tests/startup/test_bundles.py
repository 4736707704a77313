"""The style sheet that browsers load: all sheets in one file, without what browsers pass over."""

from pathlib import Path

from django.conf import settings

from econweb.startup.bundles import STYLES, bundle_static_files


def test_bundle_has_every_rule_and_no_comment() -> None:
    bundle_static_files()
    bundle = Path(settings.DATA_DIR, "made", "econweb.css").read_text(encoding="utf-8")
    sheets = [Path(settings.BASE_DIR, "static", "styles", f"{name}.css").read_text(encoding="utf-8") for name in STYLES]

    assert "/*" not in bundle
    for sign in "{};":
        assert bundle.count(sign) == sum(text.count(sign) for text in sheets) - in_comments(sheets, sign)
    assert len(bundle) < 0.9 * sum(map(len, sheets))


def in_comments(sheets: list[str], sign: str) -> int:
    return sum(part.partition("*/")[0].count(sign) for text in sheets for part in text.split("/*")[1:])
