"""EMAIL_URL names the mail server and the sender."""

from pathlib import Path

import pytest

from tests.config.reading import read_settings, refusal


@pytest.mark.parametrize(
    "url",
    [
        "mail.example.com",
        "http://mail.example.org?from=a@b.org",
        "smtps://mail.example.org",
        "smtps://mail.example.org?from=a",
        "smtps://mail.example.org?from=a@b.org%0aBcc:c@d.org",
        "smtps://mail.example.org:port?from=a@b.org",
        "smtps://?from=a@b.org",
    ],
)
def test_wrong_mail_server_stops_the_start(tmp_path: Path, url: str) -> None:
    line = refusal(tmp_path, EMAIL_URL=url)

    assert line.startswith("EMAIL_URL: is not ")
    assert url not in line


@pytest.mark.parametrize("name", ["user:p%C3%A4ss", "us%C3%A9r:word", "user:päss"])
def test_user_and_password_of_the_mail_server_are_ascii(tmp_path: Path, name: str) -> None:
    """The library of the mail protocol cannot send others."""
    line = refusal(tmp_path, EMAIL_URL=f"smtps://{name}@mail.example.org?from=a@b.org")

    assert line.startswith("EMAIL_URL: has a user or password with a letter or sign beyond ASCII. Example: ")
    assert name not in line


@pytest.mark.parametrize(
    ("url", "port", "is_ssl", "is_starttls"),
    [
        ("smtps://ada:w%40rd@mail.example.org?from=a@b.org", 465, True, False),
        ("smtp://ada:w%40rd@mail.example.org?from=a@b.org", 587, False, True),
        ("smtp://ada:w%40rd@127.0.0.1?from=a@b.org", 25, False, False),
        ("smtps://ada:w%40rd@mail.example.org:2465?from=a@b.org", 2465, True, False),
    ],
)
def test_mail_server_is_read(tmp_path: Path, url: str, port: int, is_ssl: bool, is_starttls: bool) -> None:
    server = read_settings(tmp_path, EMAIL_URL=url)["MAIL_SERVER"]
    found = [server.connection[name] for name in ("port", "use_ssl", "use_tls", "username", "password", "timeout")]

    assert found == [port, is_ssl, is_starttls, "ada", "w@rd", 10]
    assert server.sender == "a@b.org"
