"""docs/log.md has every line that econweb writes to its log, with its level and its logger."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "log.md"
LEVELS = {"info": "info", "warning": "warning", "error": "error", "exception": "error"}
# Their level or their text is chosen while the program runs.
CHOSEN = {
    ("econweb.requests", "info", "request"),
    ("econweb.requests", "warning", "request"),
    ("econweb.requests", "info", "request from inside"),
    ("econweb.accounts", "info", "signed in"),
    ("econweb.accounts", "info", "password change done"),
}
# What stands for each value in the text of a line.
VALUES = {"action": ("sign-in", "password change"), "count": ("N",)}


def documented_lines() -> Iterator[tuple[str, str, str]]:
    loggers = ""
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            loggers = line
        elif line.startswith("| `"):
            texts, level = (cell.strip() for cell in line.split("|")[1:3])
            for text in re.findall(r"`(.+?)`", texts):
                yield loggers, level, text


def written_lines() -> Iterator[tuple[str, str, str]]:
    for file in sorted((ROOT / "econweb").rglob("*.py")):
        source = file.read_text(encoding="utf-8")
        if not (logger := re.search(r'structlog\.get_logger\("(.+?)"\)', source)):
            continue
        for call in ast.walk(ast.parse(source)):
            match call:
                case ast.Call(func=ast.Attribute(value=value, attr=level), args=[text, *_]) if level in LEVELS:
                    if ast.unparse(value) == "log" or "get_logger" in ast.unparse(value):
                        yield from ((logger[1], LEVELS[level], words) for words in expand(text))


def expand(text: ast.expr) -> Iterator[str]:
    match text:
        case ast.Constant(value=str(words)):
            yield words
        case ast.JoinedStr(values=parts):
            name = next(ast.unparse(part.value) for part in parts if isinstance(part, ast.FormattedValue))
            words = "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
            yield from map(words.format, VALUES[name])


def test_every_line_of_the_log_is_documented() -> None:
    documented = list(documented_lines())
    written = {*written_lines(), *CHOSEN}

    assert len(written) > 40
    for logger, level, text in written:
        assert any(f"`{logger}`" in loggers and rest == [level, text] for loggers, *rest in documented), text


def test_every_documented_line_of_the_log_is_written() -> None:
    written = {(level, text) for _, level, text in (*written_lines(), *CHOSEN)}

    assert [text for _, level, text in documented_lines() if (level, text) not in written] == []


def test_log_document_is_in_the_tables_where_an_operator_begins() -> None:
    readme, deploy = ROOT / "README.md", ROOT / "docs" / "deploy.md"
    rows = [line for file in (readme, deploy) for line in file.read_text("utf-8").splitlines() if line.startswith("| ")]

    assert [row.split(" | ")[0] for row in rows if "log.md)" in row and "CHANGELOG" not in row] == [
        "| run it for others: TLS, backups, upgrades, several hosts, log lines",
        "| see how it is",
    ]
