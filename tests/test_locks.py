"""The locks hold what pyproject.toml asks for."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
RUN = PROJECT["project"]["dependencies"]
DEV = PROJECT["dependency-groups"]["dev"]


def locked(name: str) -> dict[str, str]:
    text = (ROOT / name).read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9._-]+)==([^\s;]+)", text, re.MULTILINE))


@pytest.mark.parametrize(
    ("lock", "ranges"), [("requirements.txt", RUN), ("requirements-dev.txt", RUN + DEV)], ids=["run", "dev"]
)
def test_lock_satisfies_every_range(lock: str, ranges: list[str]) -> None:
    pins = locked(lock)

    for text in ranges:
        wanted = Requirement(text)
        assert pins.get(canonicalize_name(wanted.name), "none") in wanted.specifier, f"{text}: run make lock"


def test_development_lock_has_the_served_versions() -> None:
    assert locked("requirements.txt").items() <= locked("requirements-dev.txt").items()


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_lock_has_the_dependencies_of_its_pins(lock: str) -> None:
    pins = locked(lock)
    asked = {canonicalize_name(wanted.name): wanted.extras for wanted in map(Requirement, RUN)}
    checked = set()

    for name in pins:
        with suppress(PackageNotFoundError):  # a pin for another system is not installed here
            texts = requires(name) or ()
            checked.add(name)
            for text in texts:
                needed = Requirement(text)
                extras = asked.get(canonicalize_name(name), set())
                if not needed.marker or any(needed.marker.evaluate({"extra": e}) for e in ("", *extras)):
                    assert canonicalize_name(needed.name) in pins, f"{name} needs {text}: run make lock"

    assert asked.keys() <= checked


@pytest.mark.parametrize("lock", ["requirements.txt", "requirements-dev.txt"])
def test_pins_have_a_hash_and_no_url(lock: str) -> None:
    text = (ROOT / lock).read_text(encoding="utf-8")
    pins = re.split(r"^(?=[a-z0-9])", text, flags=re.MULTILINE)[1:]

    assert all("--hash=sha256:" in pin for pin in pins)
    assert "://" not in text


def modules_imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


def test_imported_libraries_are_declared() -> None:
    declared = {canonicalize_name(Requirement(text).name) for text in RUN}
    modules = {name.partition(".")[0] for path in (ROOT / "econweb").rglob("*.py") for name in modules_imported(path)}
    # One of them exists for type checkers alone.
    foreign = modules - sys.stdlib_module_names - {"econweb", "_typeshed"}
    installed = packages_distributions()
    libraries = {name: {canonicalize_name(one) for one in installed[name]} for name in foreign}

    assert len(libraries) > 10
    assert [name for name, of in sorted(libraries.items()) if not of & declared] == []
