"""Every setting is in docs/settings.md and in .env.example, and they name no other."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READER = re.compile(r"(environment|\w+_config)\.")


def calls_of_readers() -> list[ast.Call]:
    tree = ast.parse((ROOT / "econweb" / "settings.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    return [call for call in calls if READER.match(ast.unparse(call.func))]


def names_read() -> set[str]:
    """Every setting that settings.py reads through a reader of config/."""
    return {
        name
        for call in calls_of_readers()
        for given in call.args
        if isinstance(given, ast.Constant) and re.fullmatch("[A-Z][A-Z_]{2,}", name := str(given.value))
    }


@pytest.mark.parametrize(
    ("document", "line"), [(".env.example", r"^#(\w+)="), ("docs/settings.md", r"^\| `([A-Z_]+)`")]
)
def test_settings_and_their_documentation_agree(document: str, line: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")

    assert set(re.findall(line, text, re.MULTILINE)) == names_read()


def bounds_read() -> dict[str, str]:
    """Return the bounds of each number, as a table has them."""
    found = {}
    for call in calls_of_readers():
        bounds = {
            keyword.arg: ast.literal_eval(keyword.value)
            for keyword in call.keywords
            if keyword.arg in {"lowest", "highest"}
        }
        if bounds:
            found[ast.literal_eval(call.args[0])] = f"{bounds.get('lowest', 0):,} to {bounds['highest']:,}"
    return found


@pytest.mark.parametrize(("name", "bounds"), bounds_read().items())
def test_table_of_settings_has_the_bounds_of_a_number(name: str, bounds: str) -> None:
    text = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8").replace("`", "")

    assert bounds in next(line for line in text.splitlines() if line.startswith(f"| {name} |"))
