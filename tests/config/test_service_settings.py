"""Settings of the way to the service: a proxy, and certificates."""

from pathlib import Path

import pytest

from tests.config.reading import KEY, read_settings, refusal

SERVICE = {"ECON_BASE_URL": "https://data.example.org", "ECON_API_KEY": KEY}
WRONG_PROXIES = [
    "proxy.example.org:3128",
    "http://proxy.example.org",
    "http://proxy.example.org:99999",
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


@pytest.mark.parametrize("fresh", ["0", "59"])
def test_answers_are_kept_until_a_long_list_is_complete(tmp_path: Path, fresh: str) -> None:
    """Each series of a list may be asked for in another minute; one that is not kept is asked for again."""
    line = refusal(tmp_path, ECON_FRESH_SECONDS=fresh, ECON_STALE_SECONDS="0")

    assert line.startswith("ECON_STALE_SECONDS: is below 60, as ECON_FRESH_SECONDS is")
    assert "raise one of them" in line
    for times in ({"ECON_FRESH_SECONDS": "60", "ECON_STALE_SECONDS": "0"}, {"ECON_FRESH_SECONDS": "0"}):
        read_settings(tmp_path, **times)


@pytest.mark.parametrize("value", ["/does/not/exist", "/dev/null", "/etc/passwd", "/"])
def test_file_without_certificates_is_reported(tmp_path: Path, value: str) -> None:
    assert refusal(tmp_path, ECON_CA_FILE=value).startswith("ECON_CA_FILE: is not a file of certificates")
