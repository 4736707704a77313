"""The documented proxies pass requests on as they are, but for what a client must not send."""

import json
import os
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import requests

from tests.accounts.test_check_proxy import listening, load_modules
from tests.http_server import running
from tests.programs import program
from tests.server import ROOT, free_port, served
from tests.startup.prepared import prepare

pytestmark = pytest.mark.slow
NAMES = ("nginx", "apache2", "caddy")
# Status of a POST.
TAKEN = {"/": 405, "/series/": 405, "/mcpx": 405, "/mcp/": 405, "/sign-in/": 200, "/mcp": 200}
FORGED = dict.fromkeys(("X-Forwarded-For", "X_Forwarded_For", "X_Forwarded_Proto"), "192.0.2.66")
APACHE = """ServerRoot {folder}
ServerName portal.example.org
PidFile {folder}/apache.pid
ErrorLog {folder}/main.log
Listen 127.0.0.1:{port}
{modules}
{site}
"""
MODULES = "mpm_event authz_core proxy proxy_http headers rewrite reqtimeout setenvif"
# The folders of the file of Debian that this machine does not let a test write to.
NGINX_FOLDERS = "client_body_temp_path a; proxy_temp_path b; fastcgi_temp_path c; uwsgi_temp_path d; scgi_temp_path e;"


class Echo(BaseHTTPRequestHandler):
    """A host that answers with the request that arrived."""

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = json.dumps({"path": self.path, "headers": [[k.lower(), v] for k, v in self.headers.items()]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET  # noqa: N815  the name that http.server calls

    def log_message(self, *_: object) -> None:
        """Say nothing on the terminal."""


@pytest.fixture(scope="module")
def echo() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    with running(server):
        yield server.server_port


@contextmanager
def proxied(name: str, host: int, folder: Path, edit: Callable[[str], str] = str) -> Iterator[str]:
    """Run the documented file of a proxy; only the addresses and folders are those of the test."""
    folder.chmod(0o755)
    port = free_port()
    with listening(_commands(name, host, port, folder, edit), port):
        yield f"http://127.0.0.1:{port}"


def _commands(name: str, host: int, port: int, folder: Path, edit: Callable[[str], str]) -> list[str]:
    document = {"nginx": "nginx.conf", "apache2": "apache.conf", "caddy": "Caddyfile"}[name]
    text = edit((ROOT / "docs" / document).read_text()).replace("web:8000", f"127.0.0.1:{host}")
    text = re.sub(r"/var/(log|cache)/\w+", str(folder), text)
    if name == "caddy":
        text = text.replace("portal.example.org {", f"http://127.0.0.1:{port} {{").replace("{\n", "{\n\tadmin off\n", 1)
        (folder / "Caddyfile").write_text(text)
        return ["env", f"HOME={folder}", program("caddy"), "run", "--config", str(folder / "Caddyfile")]
    if name == "apache2":
        site = text.replace("*:80", f"127.0.0.1:{port}")
        modules = load_modules(MODULES)
        (folder / "config").write_text(APACHE.format(folder=folder, port=port, modules=modules, site=site))
        return [program("apache2"), "-D", "FOREGROUND", "-f", str(folder / "config")]
    (folder / "econweb.conf").write_text(text.replace("listen 80;", f"listen 127.0.0.1:{port};"))
    return [program("nginx"), "-p", str(folder), "-c", str(_write_main_file(folder)), "-g", "daemon off;"]


def _write_main_file(folder: Path) -> Path:
    """Write the main file of Debian, with the documented file as its only site: port 80 stays free."""
    main = Path("/etc/nginx/nginx.conf").read_text()
    main = re.sub(r"^\s*(user|pid|include /etc/nginx/(modules|sites)-enabled).*$", "", main, flags=re.MULTILINE)
    main = main.replace("include /etc/nginx/conf.d/*.conf;", f"include econweb.conf; {NGINX_FOLDERS}").replace(
        "/var/log/nginx", str(folder)
    )
    user = "user root; " if os.getuid() == 0 else ""
    (folder / "main.conf").write_text(f"{user}pid nginx.pid;\n{main}")
    return folder / "main.conf"


def send(url: str, request: str) -> bytes:
    """Send a request as it is written, and return the whole answer."""
    port = int(url.rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(request.encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))


@pytest.mark.parametrize("name", NAMES)
def test_path_arrives_as_the_client_wrote_it(name: str, echo: int, tmp_path: Path) -> None:
    path = "/tag/a%2Fb%20%25c/?tags=x%26y&q=%C3%BC+1"
    with proxied(name, echo, tmp_path) as url:
        answer = send(url, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")

    assert json.loads(answer.partition(b"\r\n\r\n")[2])["path"] == path


@pytest.mark.parametrize("name", NAMES)
def test_host_name_arrives_with_its_port(name: str, echo: int, tmp_path: Path) -> None:
    with proxied(name, echo, tmp_path) as url:
        arrived = dict(requests.get(url, timeout=10).json()["headers"])

    assert f"http://{arrived['host']}" == url


@pytest.mark.parametrize("name", NAMES)
def test_address_of_the_client_cannot_be_forged(name: str, echo: int, tmp_path: Path) -> None:
    with proxied(name, echo, tmp_path) as url:
        arrived = requests.get(url, headers={**FORGED, "X-Forwarded-Proto": "https"}, timeout=10).json()["headers"]

    by_header = [(header.replace("_", "-"), value) for header, value in arrived if header.startswith("x")]
    assert [value for header, value in by_header if header == "x-forwarded-for"] == ["127.0.0.1"]
    assert [value for header, value in by_header if header == "x-forwarded-proto"] == ["http"]


@pytest.mark.parametrize("name", NAMES)
def test_only_personal_paths_take_forms_and_nobody_reads_metrics(name: str, echo: int, tmp_path: Path) -> None:
    with proxied(name, echo, tmp_path) as url:
        posts = {path: requests.post(url + path, timeout=10).status_code for path in TAKEN}
        long = requests.post(f"{url}/me/", data=b"x" * 70_000, timeout=10).status_code
        hidden = [requests.get(url + path, timeout=10).status_code for path in ("/metrics", "/readyz")]

    assert posts == TAKEN
    # Caddy says 502 before version 2.7.
    assert long == (502 if name == "caddy" else 413)
    assert hidden == [403, 403]


@pytest.mark.parametrize("name", NAMES)
def test_logs_hold_neither_queries_nor_invitations(name: str, echo: int, tmp_path: Path) -> None:
    with proxied(name, echo, tmp_path) as url:
        for path in (
            "/known/?api_key=planted",
            "/sign-in/planted/?next=/planted",
            "/Sign-in/planted/",
            "/%00?planted",
            "/a%3Fplanted",
        ):
            requests.get(url + path, timeout=10)
        requests.get(f"{url}/second/", timeout=10)

    logged = "".join(path.read_text() for path in tmp_path.iterdir() if "log" in path.name)
    assert "/known/" in logged
    assert "planted" not in logged


@pytest.mark.parametrize("name", NAMES)
def test_pages_and_styles_come_through(name: str, tmp_path: Path) -> None:
    data = prepare(tmp_path / "data")
    proxy = tmp_path / "proxy"
    proxy.mkdir()
    with served(data, BEHIND_PROXY="true") as (site, _), proxied(name, int(site.rpartition(":")[2]), proxy) as url:
        page = requests.get(f"{url}/category/125/tags/", timeout=20)
        style = re.search(r'rel="stylesheet" href="([^"]+)"', page.text)
        assert style
        answers = [page.status_code, requests.get(url + style[1], timeout=20).status_code]
        again = requests.get(page.url, headers={"If-None-Match": page.headers["ETag"]}, timeout=20).status_code

    assert answers == [200, 200]
    assert again == 304


def test_kept_page_of_one_port_is_not_sent_at_another(tmp_path: Path) -> None:
    """The links of a page have the port."""
    data = prepare(tmp_path / "data")
    proxy = tmp_path / "proxy"
    proxy.mkdir()
    with served(data, BEHIND_PROXY="true") as (site, _), proxied("nginx", int(site.rpartition(":")[2]), proxy) as url:
        for port in (8443, 9443):
            page = requests.get(f"{url}/series/GNPCA/", headers={"Host": f"127.0.0.1:{port}"}, timeout=20).text
            assert set(re.findall(r"127\.0\.0\.1:(\d+)/series/GNPCA", page)) == {str(port)}


def test_page_of_nginx_says_that_no_host_answers(tmp_path: Path) -> None:
    with proxied("nginx", free_port(), tmp_path) as url:
        page = requests.get(url, timeout=10)

    assert page.status_code == 502
    assert page.text == "This site does not answer at the moment. Load the page again in a minute.\n"
    assert page.headers["Retry-After"] == "2"
