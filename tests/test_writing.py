"""The words that the project no longer uses, and the size of its documents."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
RETIRED = [
    r"\bshelf\b(?!['\"/.])",
    r"\bshelves\b",
    r"\brooms?\b",
    r"\bwalls?\b(?![- ]clock)",
    r"\bbreach\b",
    r"\bfurniture\b",
    r"\bat the door\b",
    r"\bof (this|the) house\b",
    r"\btrip of\b",
    r"\bflights\b",
    r"\btroubles?\b",
    r"\bkeeping\b",
    r"\b(is|are|be|was|were|been) told\b",
    r"\bwhoever\b",
    r"\bwho (asks|reads|holds|finds|waits)\b",
    r"\banew\b",
    r"\bmend(s|ed|ing)?\b",
    r"\bsuch as have\b",
    r"\bso many\b",
    r"\bso long\b(?! as)",
    r"\bof ours\b",
    r"\bis no text\b",
    r"\bnobody asks\b",
    r"\bnobody asked\b",
    r"\bthis portal\b",
    r"\b(answer\w*|page|told|refus\w+|[45]\d\d|says?|shown|reader|it|problem|ends?) in words\b",
    r"\bstands? in\b",
    r"\b(?<!db_column=\")(tale|chapter)s?\b",
    r"\bhow it goes\b",
]
RETIRED_PATTERN = re.compile("|".join(RETIRED), re.IGNORECASE)
# A docstring starts with an imperative or a noun phrase: these words begin a clause instead.
CLAUSE = re.compile(r"(What|Whether|Which|Where|When|How|Why|Of|So that|Such as)\b")

# These list the retired words themselves, are data, or quote foreign terms.
EXEMPT = (
    "tests/test_writing.py",
    "tests/fixtures/",
    "econweb/catalogue/sample/",
    "LICENSE",
    "requirements",
)
SUFFIXES = {".py", ".md", ".html", ".css", ".js", ".conf", ".yaml", ".toml", ".example", ""}


def tracked() -> list[str]:
    """Return the files of the project, new ones included, as git sees them."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.splitlines()
    return [name for name in listed if (ROOT / name).is_file() and Path(name).suffix in SUFFIXES]


def retired_words(name: str) -> list[str]:
    lines = (ROOT / name).read_text(encoding="utf-8").splitlines()
    return [
        f"{name}:{number}: {match[0]}"
        for number, line in enumerate(lines, start=1)
        for match in RETIRED_PATTERN.finditer(spell_test_name(line))
    ]


def spell_test_name(line: str) -> str:
    """Return the line with spaces in the name of the test that it begins."""
    name, bracket, rest = line.partition("(")
    return f"{name.replace('_', ' ')}{bracket}{rest}" if name.startswith("def test_") else line


def in_scope(name: str) -> bool:
    return not name.startswith(EXEMPT) and "migrations" not in Path(name).parts


def test_no_file_has_a_retired_word() -> None:
    names = [name for name in tracked() if in_scope(name)]

    folders = {"README.md", "bench", "docs", "econweb", "static", "templates", "tests"}
    assert folders <= {name.partition("/")[0] for name in names}
    assert [word for name in names for word in retired_words(name)] == []


def docstrings(source: str) -> list[str]:
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return [ast.get_docstring(node) or "" for node in ast.walk(ast.parse(source)) if isinstance(node, documented)]


def test_docstrings_begin_with_the_thing_or_an_imperative() -> None:
    names = [name for name in tracked() if name.endswith(".py")]
    found = [(name, text) for name in names for text in docstrings((ROOT / name).read_text(encoding="utf-8"))]

    assert len([text for _, text in found if text]) > 1000
    assert [one for one in found if CLAUSE.match(one[1])] == []


@pytest.mark.parametrize(
    "text", ["It stands in.", "The host who holds a lease.", "Nobody asks.", "begin anew", "This is told in words."]
)
def test_retired_word_is_found(text: str) -> None:
    assert RETIRED_PATTERN.search(text)


def test_retired_word_is_found_in_the_name_of_a_test() -> None:
    assert RETIRED_PATTERN.search(spell_test_name("def test_page_begins_anew() -> None:"))


@pytest.mark.parametrize("text", ["a wall-clock bound", "as long as needed", "bookkeeping", 'app_label = "shelf"'])
def test_ordinary_word_is_not_found(text: str) -> None:
    assert not RETIRED_PATTERN.search(text)


DOCUMENTS = sorted(name for name in tracked() if name.endswith(".md"))


@pytest.mark.parametrize("name", DOCUMENTS)
def test_cells_of_tables_are_short(name: str) -> None:
    lines = [line for line in (ROOT / name).read_text(encoding="utf-8").splitlines() if line.startswith("|")]
    cells = [cell for line in lines for cell in line.strip("|").split("|") if "::" not in cell]

    assert [cell for cell in cells if len(cell.split()) > 20] == []


def test_choices_have_60_rows_at_most() -> None:
    lines = (ROOT / "docs/choices.md").read_text(encoding="utf-8").splitlines()

    assert sum(line.startswith("| ") and not line.startswith("| question") for line in lines) <= 60


def test_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 70


@pytest.mark.parametrize(("heading", "rows"), [("Where a change goes", 12), ("Glossary", 25)])
def test_tables_of_architecture_have_few_rows(heading: str, rows: int) -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2]
    table = [line for line in text.partition("\n## ")[0].splitlines() if line.startswith("| ")]

    assert 0 < len(table) - 1 <= rows


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_between_documents_lead_somewhere(name: str) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)\)", (ROOT / name).read_text(encoding="utf-8"))

    assert [
        target for target in targets if "://" not in target and not (ROOT / name).parent.joinpath(target).exists()
    ] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_paths_in_documents_exist(name: str) -> None:
    named = re.findall(
        r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|html|css|js|md|conf|yaml|csv))`", (ROOT / name).read_text("utf-8")
    )
    roots = [ROOT, ROOT / "econweb"]

    assert [path for path in named if not any((root / path).exists() for root in roots)] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_commands_in_documents_exist(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    verbs = re.findall(r"`make ([a-z-]+)", text)
    modules = re.findall(r"python -m ((?:bench|tests)[\w.]*)", text)

    known = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert set(verbs) <= set(known)
    assert [one for one in modules if not _is_runnable(ROOT.joinpath(*one.split(".")))] == []


def _is_runnable(path: Path) -> bool:
    return path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()


def test_sentences_of_the_usage_have_25_words_at_most() -> None:
    text = (ROOT / "docs" / "usage.md").read_text(encoding="utf-8")
    text = re.sub(r"^```.*?^```$|^[|#][^\n]*$", "", text, flags=re.DOTALL | re.MULTILINE)
    # A paragraph or an item of a list ends its last sentence.
    sentences = re.split(r"(?<=[.?!])\s+|\n\s*\n|\n(?=- )", text)

    assert len(sentences) > 100
    assert [sentence for sentence in sentences if len(sentence.split()) > 25] == []
