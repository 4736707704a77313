"""Each snippet, run or parsed, asks what the view asked, once the key is put in."""

import re
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qsl, urlsplit

import pytest
import tree_sitter_julia
from hypothesis import given
from hypothesis import strategies as st
from tree_sitter import Language, Parser

from econweb.dashboard.sharing.snippets import PLACEHOLDER, ServiceRequest, snippets
from tests.http_server import running
from tests.programs import program

KEY = "0123456789abcdef0123456789abcdef"
HOSTILE = {
    "category_id": "125",
    "tag_names": "usa;a+b c;50%;$HOME `id` \"x\" 'y' \\ é 🙂",
    "search_text": '$(touch /tmp/x); `y\' "${z}" #{a} %d',
}


@pytest.fixture
def service() -> Iterator["Listening"]:
    listening = Listening()
    with running(listening):
        yield listening


class Listening(HTTPServer):
    """Answers every request and remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answer)
        self.asked: list[dict[str, str]] = []

    @property
    def request(self) -> ServiceRequest:
        return ServiceRequest(f"http://127.0.0.1:{self.server_port}/econ/category/tags", HOSTILE)


class _Answer(BaseHTTPRequestHandler):
    server: Listening

    def do_GET(self) -> None:
        self.server.asked.append(dict(parse_qsl(urlsplit(self.path).query, keep_blank_values=True)))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.wfile.write(b'{"tags":[]}')

    def log_message(self, *_args: object) -> None:
        pass


EXPECTED = {**HOSTILE, "file_type": "json", "api_key": KEY}


def command_for(language: str, code: str) -> list[str]:
    if language == "curl":
        program("curl")
        return ["sh", "-c", code]
    if language == "Python":
        return [sys.executable, "-c", code]
    return [program("Rscript"), "-e", code]


@pytest.mark.parametrize("language", ["curl", "Python", "R"])
def test_snippet_sends_the_request_of_the_view(service: Listening, language: str) -> None:
    code = snippets(service.request)[language].replace(PLACEHOLDER, KEY)

    run = subprocess.run(command_for(language, code), capture_output=True, check=False, timeout=60)

    assert run.returncode == 0, run.stderr
    assert service.asked == [EXPECTED]


def asked_by(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address).query, keep_blank_values=True, strict_parsing=True))


@given(st.dictionaries(st.from_regex(r"[a-z_]{1,9}", fullmatch=True), st.text(max_size=9)))
def test_snippet_url_has_every_parameter(parameters: dict[str, str]) -> None:
    parameters.pop("api_key", None), parameters.pop("file_type", None)
    url = ServiceRequest("https://data.example.org/econ/series", parameters).url()

    assert asked_by(url) == {**parameters, "file_type": "json", "api_key": PLACEHOLDER}


def test_snippet_for_julia_has_url_as_one_string() -> None:
    code = snippets(ServiceRequest("https://data.example.org/econ/category/tags", HOSTILE))["Julia"]
    tree = Parser(Language(tree_sitter_julia.language())).parse(code.encode())

    assert not tree.root_node.has_error
    assert "interpolation" not in str(tree.root_node)
    (address,) = re.findall(r'address = "([^"]*)"', code)
    assert asked_by(address) == {**EXPECTED, "api_key": PLACEHOLDER}


def test_snippet_for_stata_has_no_quotes_or_macros() -> None:
    code = snippets(ServiceRequest("https://data.example.org/econ/category/tags", HOSTILE))["Stata"]
    copied, _shown = code.splitlines()

    found = re.fullmatch(r'copy "([^"`\'$\\\n]*)" "([\w.]+)", replace', copied)

    assert found
    assert asked_by(found[1]) == {**EXPECTED, "file_type": "xml", "api_key": PLACEHOLDER}


def test_snippet_has_one_key_placeholder() -> None:
    written = snippets(ServiceRequest("https://data.example.org/econ/series", {"series_id": "GNPCA"}))

    assert {language: code.count(PLACEHOLDER) for language, code in written.items()} == dict.fromkeys(written, 1)
