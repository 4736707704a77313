"""Health check, readiness check and metrics, for monitoring."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from econweb.accounts.client_address import client_address
from econweb.config.file_access import describe_folders
from econweb.serving.monitoring.request_times import ROUTE
from econweb.serving.monitoring.site_state import update_gauges
from econweb.serving.monitoring.worker_counts import metrics_text
from econweb.startup.database_state import check_database
from econweb.upstream import service


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    # By this header, `manage.py doctor --url` sees whether the proxy lets a client choose its address.
    headers = {"X-Client-Address": client_address(request.META)}
    return HttpResponse("ok\n", content_type="text/plain; charset=utf-8", headers=headers)


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """Show the state of the service, but do not fail with it: cached answers can still be read."""
    database = check_database()
    data_dir = describe_folders()
    # With a full disk, most pages can still be read.
    status = 200 if database == "ok" and data_dir != "cannot be written" else 503
    return JsonResponse({"database": database, "data_dir": data_dir, "upstream": service.state()}, status=status)


@require_safe
@never_cache
def metrics_page(request: HttpRequest) -> HttpResponse:
    update_gauges()
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE_LATEST)


_VIEWS = {"/healthz": healthz, "/readyz": readyz, "/metrics": metrics_page}


def answer_health_checks(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Answer these paths under any host name: monitoring often uses IP addresses."""

    def answer(request: HttpRequest) -> HttpResponse:
        view = _VIEWS.get(request.path_info)
        if view is None:
            return get_response(request)
        request.META[ROUTE] = request.path_info[1:]
        response = view(request)
        if response.status_code == 405:
            # The body is still unread, and must not be parsed as the next request.
            response["Connection"] = "close"
        return response

    return answer
