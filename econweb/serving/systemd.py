"""Notify systemd that this host serves (`Type=notify`), so that `systemctl restart` returns only then."""

import os
import socket
import time
from http.client import HTTPConnection, HTTPException
from threading import Thread

SECONDS_BETWEEN_TRIES = 0.1


def notify_when_serving(host: str, port: int) -> None:
    """Notify systemd after the first answer; it has set NOTIFY_SOCKET where it waits for one."""
    if address := os.environ.get("NOTIFY_SOCKET"):
        Thread(target=_notify, args=(address, host, port), name="notify", daemon=True).start()


def _notify(address: str, host: str, port: int) -> None:
    while not _answers(host, port):
        time.sleep(SECONDS_BETWEEN_TRIES)
    # An address that begins with @ has no file.
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.sendto(b"READY=1", f"\0{address[1:]}" if address.startswith("@") else address)


def _answers(host: str, port: int) -> bool:
    connection = HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
