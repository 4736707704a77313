"""Signs of life, for the machines that watch: is the process there, can it work, what has it counted."""

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from econweb.catalogue import editions
from econweb.schema import NewerSchema, check_not_newer
from econweb.upstream import metrics, service

BREAKER_STATES = ("closed", "half open", "open")


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """A service that is down is shown and is no failure: what is kept can still be read here."""
    database = _database()
    status = 200 if database == "ok" else 503
    return JsonResponse({"database": database, "upstream": service.state()}, status=status)


@require_safe
@never_cache
def metrics_page(request: HttpRequest) -> HttpResponse:
    state = service.state()
    for name in BREAKER_STATES:
        metrics.BREAKER.labels(name).set(state["breaker"] == name)
    if state["allowance_left"] is not None:
        metrics.ALLOWANCE_LEFT.set(state["allowance_left"])
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)


def _database() -> str:
    # What is held open may be a file that is no longer there.
    connection.close()
    try:
        executor = MigrationExecutor(connection)
        check_not_newer(executor.loader)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if not waiting and not settings.ECON_BASE_URL:
            editions.current()
    except DatabaseError:
        return "cannot be read"
    except (NewerSchema, editions.OtherFormat) as problem:
        return str(problem)
    return f"{len(waiting)} migrations are to be applied" if waiting else "ok"
