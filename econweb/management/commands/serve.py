"""manage.py serve: prepare everything and serve, on a bare machine as in production."""

import ctypes
import errno
import gc
import os
import resource
import socket
import threading
from argparse import ArgumentTypeError
from functools import partial
from typing import Any

import structlog
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.http.request import validate_host
from django.utils.module_loading import import_string
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server import Server
from granian.server.common import AbstractServer

from econweb.accounts.site_address import site_address
from econweb.doctor.setting_checks import find_misspelt
from econweb.serving.admission import MAX_CONCURRENT, MAX_QUEUED
from econweb.serving.hung_workers import WorkerWatch
from econweb.serving.monitoring.worker_counts import create_counts_folder
from econweb.serving.preload import load_pages
from econweb.serving.systemd import notify_when_serving
from econweb.serving.worker import load_worker
from econweb.startup.prepare_database import prepare_database
from econweb.startup.static_files import collectstatic_if_changed

# 16 more threads answer 503 when all slots and the queue are full.
MAX_THREADS = MAX_CONCURRENT + MAX_QUEUED + 16
# An idle connection is closed after this time.
IDLE_TIMEOUT_MS = 20_000
# For requests under way at the end; `docs/econweb.service` and `compose.yaml` give the program 15.
STOP_SECONDS = 12
# A browser holds a connection open between its requests, and each is a file.
MAX_OPEN_FILES = 8192
# For the database, cache, service and log. With no file left, the library's accept loop uses a whole core.
MIN_SPARE_FILES = 128
# Option numbers of malloc.h.
M_ARENA_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD = -8, -3, -1
# The server's own lines go to our log.
_LOG_CONFIG = {
    "version": 1,
    "disable_existing_loggers": False,
    "loggers": {"_granian": {"handlers": [], "propagate": True}},
    "formatters": {},
    "handlers": {},
}
log = structlog.get_logger("econweb.serve")


class Command(BaseCommand):
    help = "Migrate, load the sample catalogue if it is embedded and empty, collect static files, and serve."
    # Checked once here, instead of by each command that is called.
    requires_system_checks = "__all__"

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1")
        parser.add_argument("--port", type=partial(_parse_number, highest=65535), default=8000)
        parser.add_argument(
            "--workers", type=partial(_parse_number, highest=64), default=1, metavar="N", help="1 to 64"
        )

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except CommandError as error:
            # Django would write it past econweb/command_line.py.
            raise SystemExit(str(error)) from None

    def handle(self, *args: Any, **options: Any) -> None:
        _limit_memory()
        for finding in find_misspelt():
            log.warning(finding.text)
        for name in settings.MIDDLEWARE:
            # Here a missing library ends the program with one sentence. Each worker would write a traceback.
            import_string(name)
        port = options["port"]
        host = _check_free(options["host"], port)
        prepare_database()
        collectstatic_if_changed()
        server = Server(
            "econweb.wsgi:application",
            address=host,
            port=port,
            interface=Interfaces.WSGI,
            # With HTTP/2 allowed, the library never closes a connection that sends nothing.
            http=HTTPModes.http1,
            http1_settings=HTTP1Settings(header_read_timeout=IDLE_TIMEOUT_MS),
            workers=options["workers"],
            blocking_threads=MAX_THREADS,
            backpressure=_max_connections(),
            log_access=False,
            # A worker that dies is replaced. One that dies again at once ends the program.
            respawn_failed_workers=True,
            workers_kill_timeout=STOP_SECONDS,
            # At the start the library would only warn of the number of threads.
            log_level=LogLevels.error,
            log_dictconfig=_LOG_CONFIG,
        )
        watch = WorkerWatch()
        server.on_startup(watch.start)
        server.on_startup(lambda: self.print_address(host, port))
        server.on_startup(partial(notify_when_serving, host, port))
        server.on_shutdown(lambda: _ignore_ctrl_c_exits(server))
        counts = create_counts_folder(settings.DATA_DIR)
        # A worker that is forked shares them, and one that replaces another serves 3 s sooner.
        load_pages()
        gc.freeze()
        server.serve(target_loader=partial(load_worker, watch.writer, counts))

    def print_address(self, host: str, port: int) -> None:
        address = site_address() if _is_published() else f"http://{_display_host(host)}:{port}"
        if settings.LOG_FORMAT == "json":
            log.info("econweb serves", address=address)
            return
        self.stdout.write(f"econweb is at {address}")


def _limit_memory() -> None:
    """Limit the memory of threads: by default glibc reserves 64 MiB of addresses for each, and large stacks."""
    if mallopt := getattr(ctypes.CDLL(None), "mallopt", None):
        # Without it the server does not start in 400 MB of address space (bench/drills/memory.py).
        mallopt(M_ARENA_MAX, 1)
        # After its first large block glibc places such blocks between small ones, where they leave holes.
        # After 20 replies of 3 MB a worker was 20 MB larger.
        mallopt(M_MMAP_THRESHOLD, 512 * 1024)
        mallopt(M_TRIM_THRESHOLD, 2 * 1024 * 1024)
    threading.stack_size(1024 * 1024)
    # Django runs on these threads: with smaller stacks a deep recursion kills the process.
    os.environ.setdefault("RUST_MIN_STACK", str(768 * 1024))


def _ignore_ctrl_c_exits(server: AbstractServer[Any]) -> None:
    """Count no worker as failed that Ctrl-C ended: the terminal sends the signal to the workers as well."""
    if server.interrupt_signal:
        server.interrupt_children.clear()


def _is_published() -> bool:
    """Return whether people of other machines open the site at the address of the proxy."""
    return settings.BEHIND_PROXY and settings.SESSION_COOKIE_SECURE


def _display_host(host: str) -> str:
    """Return the host for links: the address if ALLOWED_HOSTS accepts it, otherwise the first allowed name."""
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104
    return shown if validate_host(shown, settings.ALLOWED_HOSTS) else settings.ALLOWED_HOSTS[0]


def _parse_number(text: str, highest: int) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= highest:
        raise ArgumentTypeError(f"it is a number from 1 to {highest}")
    return int(text)


def _max_connections() -> int:
    """Return the connections of each worker; more wait in the system's queue, so that files never run short."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    files = min(hard if hard != resource.RLIM_INFINITY else MAX_OPEN_FILES, MAX_OPEN_FILES)
    resource.setrlimit(resource.RLIMIT_NOFILE, (files, hard))
    return max(8, files // 2 - MIN_SPARE_FILES)


def _check_free(host: str, port: int) -> str:
    """Return the address of the host, or raise if the port is taken; a worker would only print a traceback."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError:
        raise CommandError(
            f"The host {host} is not known. Name another: --host 127.0.0.1 (make run HOST=127.0.0.1)."
        ) from None
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
        except OSError as error:
            advice = "Stop the program that uses it, or name another: --port 8001 (make run PORT=8001)."
            if error.errno == errno.EADDRNOTAVAIL:
                advice = (
                    "The address is not one of this machine. Name another: --host 127.0.0.1 (make run HOST=127.0.0.1)."
                )
            raise CommandError(f"Port {port} of {host} cannot be used ({error.strerror}). {advice}") from None
    return str(address[0])
