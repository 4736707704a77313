"""Settings of the way to the service: a proxy, and certificates."""

from pathlib import Path

import pytest

from tests.config.reading import KEY, read_settings, refusal

SERVICE = {"ECON_BASE_URL": "https://data.example.org", "ECON_API_KEY": KEY}
WRONG_PROXIES = [
    "proxy.example.org:3128",
    "http://proxy.example.org",
    "socks5://proxy.example.org:1080",
    "http://proxy.example.org:3128/path",
    "http://user:secret word@proxy.example.org:3128",
]


@pytest.mark.parametrize("value", WRONG_PROXIES)
def test_invalid_proxy_is_reported_without_its_value(tmp_path: Path, value: str) -> None:
    line = refusal(tmp_path, **SERVICE, ECON_PROXY=value)

    assert line.startswith("ECON_PROXY: is not the URL of a proxy with its port. Example: ")
    assert value not in line.partition("Example: ")[0]


def test_proxy_reads_no_plain_requests(tmp_path: Path) -> None:
    plain = {**SERVICE, "ECON_BASE_URL": "http://127.0.0.1:8001"}

    assert refusal(tmp_path, **plain, ECON_PROXY="http://127.0.0.1:3128").startswith(
        "ECON_PROXY: needs a service with https"
    )


def test_proxy_may_have_a_password(tmp_path: Path) -> None:
    found = read_settings(tmp_path, **SERVICE, ECON_PROXY="http://reader:a-word@proxy.example.org:3128")

    assert found["ECON_PROXY"] == "http://reader:a-word@proxy.example.org:3128"


@pytest.mark.parametrize("value", ["/does/not/exist", "/dev/null", "/etc/passwd", "/"])
def test_file_without_certificates_is_reported(tmp_path: Path, value: str) -> None:
    assert refusal(tmp_path, ECON_CA_FILE=value).startswith("ECON_CA_FILE: is not a file of certificates")
