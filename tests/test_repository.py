"""Files for forges, editors and people who cite: they agree with the project."""

import configparser
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
TEXTS = {".py", ".md", ".html", ".css", ".js", ".yml", ".yaml", ".toml", ".cff", ".conf", ".txt", ".svg", ""}


def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_workflow_runs_what_decides_a_change() -> None:
    [job] = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text(encoding="utf-8"))["jobs"].values()

    assert job["steps"][-1] == {"run": ".ci/run"}
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
    # An action may change behind a branch.
    assert all("@v" in step["uses"] for step in job["steps"] if "uses" in step)


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md")), ids=lambda path: path.name)
def test_issue_template_has_a_name_and_a_description(path: Path) -> None:
    _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)

    assert yaml.safe_load(head).keys() == {"name", "about", "labels"}
    assert body.count("**") >= 4


def test_citation_agrees_with_the_project() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert (citation["title"], citation["license"]) == (project["name"], project["license"])
    assert {"cff-version", "message", "authors", "type"} <= citation.keys()


def test_text_files_follow_the_editor_configuration() -> None:
    rules = configparser.ConfigParser()
    rules.read_string("[top]\n" + (ROOT / ".editorconfig").read_text(encoding="utf-8"))
    texts = {path: path.read_bytes() for path in tracked() if path.suffix in TEXTS and "pictures" not in path.parts}

    assert rules["*"]["end_of_line"] == "lf"
    assert [path for path, text in texts.items() if b"\r" in text] == []
    assert rules["*"]["insert_final_newline"] == "true"
    assert [path for path, text in texts.items() if text and not text.endswith(b"\n")] == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert int(rules["*.py"]["max_line_length"]) == project["tool"]["ruff"]["line-length"]
