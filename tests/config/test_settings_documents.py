"""Every setting is in docs/settings.md and in .env.example, and they name no other."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
READER = re.compile(r"(environment|\w+_config)\.")


def names_read() -> set[str]:
    """Every setting that settings.py reads through a reader of config/."""
    tree = ast.parse((ROOT / "econweb" / "settings.py").read_text(encoding="utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    return {
        name
        for call in calls
        if READER.match(ast.unparse(call.func))
        for given in call.args
        if isinstance(given, ast.Constant) and re.fullmatch("[A-Z][A-Z_]{2,}", name := str(given.value))
    }


@pytest.mark.parametrize(
    ("document", "line"), [(".env.example", r"^#(\w+)="), ("docs/settings.md", r"^\| `([A-Z_]+)`")]
)
def test_settings_and_their_documentation_agree(document: str, line: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")

    assert set(re.findall(line, text, re.MULTILINE)) == names_read()
