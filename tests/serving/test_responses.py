"""Every response has a request id and a strict content policy, wherever it comes from."""

import re

import pytest
from django.conf import settings
from django.db import IntegrityError, OperationalError, connection
from django.test import Client
from pytest_django import Settings
from structlog.stdlib import add_logger_name
from structlog.testing import capture_logs

from econweb.config import log_config
from econweb.label_book.models import Label
from tests.builders import a_series
from tests.conftest import Loader

pytestmark = pytest.mark.django_db(transaction=True)
ANSWERS = {
    "/": 200,
    "/series/GNPCA/": 200,
    "/series/UNKNOWN/": 404,
    "/series/not+an+id/": 400,
    "/nowhere/": 404,
    "/go": 400,
    "/econ/series": 400,
    "/econ/nowhere": 404,
}


@pytest.mark.parametrize(("path", "status"), ANSWERS.items())
def test_every_response_has_the_content_policy(client: Client, catalogue: Loader, path: str, status: int) -> None:
    catalogue(series=[a_series()])

    answer = client.get(path)

    assert answer.status_code == status
    policy = answer["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in answer["Permissions-Policy"]
    assert re.fullmatch(r"[0-9a-f]{32}", answer["X-Request-ID"])


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


@pytest.mark.parametrize("path", ["/", "/nowhere/", "/admin/login/", "/admin/", "/econ/series"])
def test_content_policy_is_exact(client: Client, path: str) -> None:
    """A39"""
    assert client.get(path)["Content-Security-Policy"] == POLICY


def test_url_with_too_many_parameters_is_an_error(client: Client) -> None:
    answer = client.get("/", QUERY_STRING="&".join(f"x{n}=1" for n in range(1001)))

    assert answer.status_code == 400
    assert "The address or a header of this request cannot be used." in answer.text


def crash_at_home(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*args: object, **kwargs: object) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr("econweb.dashboard.views.render_page", crash)
    client.raise_request_exception = False


def test_crash_page_has_the_policy_and_no_traceback(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    crash_at_home(client, monkeypatch)

    answer = client.get("/")

    assert answer.status_code == 500
    assert 'role="alert"' in answer.text
    assert "Traceback" not in answer.text
    assert "planted" not in answer.text
    assert "Content-Security-Policy" in answer


def test_crash_page_shows_the_logged_request_id(
    client: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    crash_at_home(client, monkeypatch)

    answer = client.get("/", headers={"X-Request-ID": "crash-7"})

    written = [record for record in caplog.records if record.name == "django.request"]
    assert "crash-7" in answer.text
    assert [record.exc_info[0] for record in written if record.exc_info] == [ZeroDivisionError]


def test_log_line_of_a_failed_request_is_a_warning(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    crash_at_home(client, monkeypatch)

    with capture_logs(processors=[add_logger_name]) as logs:
        client.get("/")
        monkeypatch.undo()
        client.get("/help/")

    lines = [line for line in logs if line["logger"] == "econweb.requests"]
    assert [(line["status"], line["log_level"]) for line in lines] == [(500, "warning"), (200, "info")]


def test_foreign_host_name_is_refused_with_a_message(client: Client) -> None:
    answer = client.get("/", headers={"host": "evil.example"})

    assert answer.status_code == 400
    assert 'role="alert"' in answer.text
    # An administrator who forgot a name reads which setting has them.
    assert "ALLOWED_HOSTS" in answer.text
    assert "evil.example" not in answer.text


def test_content_policy_allows_configured_frame_ancestors(settings: Settings) -> None:
    settings.FRAME_ANCESTORS = ["https://wiki.example.org"]

    assert "frame-ancestors https://wiki.example.org" in Client().get("/")["Content-Security-Policy"]


def test_content_policy_never_allows_framing_the_admin(settings: Settings) -> None:
    """A18"""
    settings.FRAME_ANCESTORS = ["https://wiki.example.org"]

    policy = Client().get("/admin/login/")["Content-Security-Policy"]

    assert policy.endswith("frame-ancestors 'none'")


def test_hsts_header_is_sent_over_https(settings: Settings) -> None:
    settings.SECURE_HSTS_SECONDS = 3600

    assert Client().get("/", secure=True)["Strict-Transport-Security"] == "max-age=3600"


@pytest.mark.parametrize("identity", ["abc-123", "A" * 64])
def test_valid_request_id_is_used(client: Client, identity: str) -> None:
    assert client.get("/", headers={"X-Request-ID": identity})["X-Request-ID"] == identity


@pytest.mark.parametrize("identity", ["", "A" * 65, "a b", "a\r\nSet-Cookie: x=1", "é"])
def test_invalid_request_id_is_replaced(client: Client, identity: str) -> None:
    assert re.fullmatch(r"[0-9a-f]{32}", client.get("/", headers={"X-Request-ID": identity})["X-Request-ID"])


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete", "trace"])
@pytest.mark.parametrize("path", ["/", "/go", "/series/GNPCA/", "/econ/series"])
def test_pages_allow_get_and_head_only(client: Client, method: str, path: str) -> None:
    answer = getattr(client, method)(path)

    assert answer.status_code == 405
    assert "GET" in answer["Allow"]


@pytest.mark.parametrize("path", ["/admin/", "/admin/login/", "/admin/shelf/label/add/"])
def test_cross_site_form_is_refused_with_a_message(path: str) -> None:
    answer = Client(enforce_csrf_checks=True).post(path)

    assert answer.status_code == 403
    assert 'role="alert"' in answer.text
    assert "Content-Security-Policy" in answer


@pytest.mark.parametrize("path", ["/", "/go?q=GNPCA", "/series/GNPCA/", "/econ/series"])
def test_head_request_is_get_without_body(client: Client, catalogue: Loader, path: str) -> None:
    catalogue(series=[a_series()])
    got, headed = client.get(path), client.head(path)

    assert headed.status_code == got.status_code
    assert headed.content == b""


@pytest.mark.parametrize("path", ["/admin/shelf/label/", "/admin/"])
def test_unusable_database_is_reported_without_a_traceback(
    client: Client, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], path: str
) -> None:
    def broken() -> None:
        raise OperationalError("planted: file is not a database")

    client.raise_request_exception = False
    client.cookies[settings.SESSION_COOKIE_NAME] = "x" * 32
    # A thread writes the lines of earlier tests.
    log_config.WRITER.finish()
    capfd.readouterr()
    connection.close()
    monkeypatch.setattr(connection, "ensure_connection", broken)
    answer = client.get(path)
    monkeypatch.undo()

    assert answer.status_code == 503
    assert 'role="alert"' in answer.text
    assert int(answer["Retry-After"]) > 0
    assert "planted" not in answer.text
    log_config.WRITER.finish()
    logged = capfd.readouterr().err
    assert "Traceback" not in logged
    assert "planted: file is not a database" in logged


def test_fault_of_a_query_is_logged_with_its_frames_and_no_values(
    client: Client, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    error = IntegrityError("planted: a value is twice\nDETAIL: Key (name)=(ada@example.org)")

    def fail(**_: object) -> None:
        raise error

    client.raise_request_exception = False
    log_config.WRITER.finish()
    capfd.readouterr()
    monkeypatch.setattr(Label.objects, "filter", fail)
    answer = client.get("/me/names/category/1/")
    monkeypatch.undo()

    log_config.WRITER.finish()
    logged = capfd.readouterr().err
    assert (answer.status_code, "planted" in answer.text) == (503, False)
    assert "a query failed" in logged
    assert "planted: a value is twice" in logged
    assert "in edit_name" in logged
    assert "ada@example.org" not in logged


@pytest.mark.parametrize("path", ["/nope", "/category/125/tags/?limit=x", "/go?q=%C2%A7", "/nope?q=api_key%3D1"])
def test_error_varies_by_accept_header(client: Client, path: str) -> None:
    answers = [client.get(path, headers={"Accept": accept}) for accept in ("text/html", "text/csv")]

    assert all("Accept" in re.split(", *", answer["Vary"]) for answer in answers)


def test_health_check_has_a_charset(client: Client) -> None:
    assert client.get("/healthz")["Content-Type"] == "text/plain; charset=utf-8"
