"""The table of packages in docs/architecture.md."""

import re

from tests.architecture import LEVEL_OF, ROOT


def test_document_has_every_package_at_its_level() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = {}
    for lowest, highest, cell in re.findall(r"^\| (\d+) to (\d+) \| (.+) \|$", text, re.MULTILINE):
        for folder, first, inner in re.findall(r"`(\w+)(?:/(?:([\w/]+)|\{([^}]+)\}))?`", cell):
            for name in (first or inner).split(","):
                named[f"{folder}.{name}".replace("/", ".").rstrip(".")] = range(int(lowest), int(highest) + 1)

    assert named.keys() == LEVEL_OF.keys()
    assert {name for name, level in LEVEL_OF.items() if level not in named[name]} == set()


def test_document_names_what_parses_the_settings() -> None:
    """It named one of ten modules."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (row,) = re.findall(r"^\| a setting \|(.* parsed by .*)\|$", text, re.MULTILINE)
    config = ROOT / "econweb" / "config"
    named = {file for pattern in re.findall(r"`config/(\S+)`", row) for file in config.glob(pattern)}
    settings = (ROOT / "econweb" / "settings.py").read_text(encoding="utf-8")
    calls = re.findall(r"^[A-Z_]+ = (\w+)\.\w+\(", settings, re.MULTILINE)
    parsing = {config / f"{module}.py" for module in calls} & {*config.glob("*.py")}

    assert len(parsing) > 5
    assert parsing <= named
