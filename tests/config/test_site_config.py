"""Invalid names, logos, links and contacts stop the start."""

from pathlib import Path

import pytest

from econweb.config.site_config import MAX_LOGO_BYTES
from tests.config.reading import read_settings, refusal

WRONG = {
    "SITE_NAME": ["a" * 41, "<b>x</b>", "a\nb"],
    "SITE_LOGO": ["/does/not/exist.svg", "/etc/passwd", "/dev/null"],
    "IMPRINT_URL": ["javascript:alert(1)", "www.example.org", "https://x.example/ y"],
    "PRIVACY_URL": ["ftp://x.example/"],
    "CONTACT": ["a@b", "ada", "javascript:alert(1)", "a@example.org?subject=x"],
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in WRONG for value in WRONG[name]])
def test_invalid_site_setting_is_reported_in_one_line(tmp_path: Path, name: str, value: str) -> None:
    line = refusal(tmp_path, **{name: value})

    assert line.startswith(f"{name}: ")
    assert "\n" not in line
    assert value not in line.partition("Example: ")[0]


@pytest.mark.parametrize("name", ["SITE_NAME", "ECON_PROVIDER"])
def test_signs_that_a_name_must_not_have_are_named(tmp_path: Path, name: str) -> None:
    assert "characters without < and >. Example: " in refusal(tmp_path, **{name: "Institut <b>"})


@pytest.mark.parametrize("content", [b"", b"<html></html>", b"<svg>" + b" " * MAX_LOGO_BYTES])
def test_logo_is_a_small_picture(tmp_path: Path, content: bytes) -> None:
    logo = tmp_path / "logo.svg"
    logo.write_bytes(content)

    assert refusal(tmp_path, SITE_LOGO=str(logo)).startswith("SITE_LOGO: is not a readable SVG, PNG or WebP file")


def test_site_settings_are_optional(tmp_path: Path) -> None:
    given = {
        "SITE_NAME": "Zahlen & Fakten",
        "CONTACT": "https://help.example.org/ask?x=1",
        "PRIVACY_URL": "http://a.b/",
    }

    expected = ("Zahlen & Fakten", "", "", given["PRIVACY_URL"], given["CONTACT"])
    assert read_settings(tmp_path, **given)["SITE"] == expected
    assert read_settings(tmp_path)["SITE"] == ("econweb", "", "", "", "")
