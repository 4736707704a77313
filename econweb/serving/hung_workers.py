"""Replace a worker that hangs: each reports every second, and the first process ends a silent one.

Only a worker that dies is replaced by the server. One that is stopped, or whose interpreter is held by a call
that never ends, would leave its clients waiting.
"""

import faulthandler
import os
import signal
import struct
import time
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from threading import Thread

import structlog

HEARTBEAT_SECONDS = 1.0
MAX_SILENCE = 15.0
# Time to write the stacks.
DUMP_SECONDS = 2.0
# The first process itself was held up for longer than this: silences then say nothing about the workers.
MAX_PAUSE = 5.0
_PID = struct.Struct("=i")
log = structlog.get_logger("econweb.serving")


class WorkerWatch:
    """The side of the first process, which is the parent of all workers."""

    def __init__(self, max_silence: float = MAX_SILENCE) -> None:
        self._max_silence = max_silence
        # Unlike a plain file, a worker inherits this one by fork and by spawn.
        self._reader, self.writer = Pipe(duplex=False)
        # No worker may wait when the first process does not read.
        os.set_blocking(self._reader.fileno(), False)
        os.set_blocking(self.writer.fileno(), False)
        self._heard: dict[int, float] = {}
        self._kill_at: dict[int, float] = {}
        self._checked = time.monotonic()

    def start(self) -> None:
        Thread(target=self._run, name="worker watch", daemon=True).start()

    def check(self, now: float) -> None:
        """Ask workers that were silent for too long for their stacks, and kill those that have written them."""
        paused, self._checked = now - self._checked > MAX_PAUSE, now
        if paused:
            self._heard = dict.fromkeys(self._heard, now)
        self._heard |= dict.fromkeys(self._read(), now)
        for pid, heard in list(self._heard.items()):
            if not _is_child(pid):
                self._heard.pop(pid)
                self._kill_at.pop(pid, None)
            elif pid in self._kill_at:
                if now >= self._kill_at[pid]:
                    _send(pid, signal.SIGKILL)
            elif now - heard >= self._max_silence:
                self._kill_at[pid] = now + DUMP_SECONDS
                _dump_stacks(pid, now - heard)

    def _run(self) -> None:
        while True:
            time.sleep(HEARTBEAT_SECONDS)
            self.check(time.monotonic())

    def _read(self) -> set[int]:
        try:
            # A multiple of the size of a pid, and each was written whole.
            return {pid for (pid,) in _PID.iter_unpack(os.read(self._reader.fileno(), 16_384))}
        except BlockingIOError:
            return set()


def start_heartbeat(writer: Connection) -> None:
    """Report every second from now on; a worker begins with it."""
    # Written by a handler in C, which needs no interpreter.
    faulthandler.register(signal.SIGUSR2, all_threads=True)
    Thread(target=_send_heartbeats, args=(writer,), name="heartbeat", daemon=True).start()


def _send_heartbeats(writer: Connection) -> None:
    parent = os.getppid()
    while True:
        if os.getppid() != parent:
            # Without the first process nobody would replace this worker, and it would hold the port.
            _send(os.getpid(), signal.SIGTERM)
        # The first process may have ended, or not read for hours.
        with suppress(OSError):
            os.write(writer.fileno(), _PID.pack(os.getpid()))
        time.sleep(HEARTBEAT_SECONDS)


def _dump_stacks(pid: int, seconds: float) -> None:
    log.error("a worker hangs and is replaced; its stacks follow", worker=pid, silent_seconds=round(seconds))
    # A process that was stopped writes its stacks only when it goes on.
    _send(pid, signal.SIGUSR2, signal.SIGCONT)


def _send(pid: int, *signals: signal.Signals) -> None:
    # The worker may end at any moment.
    with suppress(ProcessLookupError):
        for number in signals:
            os.kill(pid, number)


def _is_child(pid: int) -> bool:
    """Return True if the process id still belongs to the worker, and it has not ended."""
    try:
        # WNOWAIT leaves the end of the worker to the server, which waits for it.
        return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
    except ChildProcessError:
        return False
