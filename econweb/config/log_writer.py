"""Write log lines from one thread, so that no request waits for a slow log."""

import os
import time
from collections import deque
from collections.abc import Callable
from multiprocessing.util import Finalize
from threading import Event, Lock, Thread

# Size of the queue; further lines are dropped and counted.
MAX_BYTES = 1024 * 1024
# A pipe writes this size atomically, so that lines of two workers never mix.
PIECE_BYTES = 4096
# The pause between two writes: a busy worker writes many lines at once.
PAUSE_SECONDS = 0.02
# The longest wait for the queue at the end of the process.
FLUSH_SECONDS = 1.0
_STDERR = 2
# Syslog's numbers; systemd takes a line without one for 6, "info".
_PRIORITIES = {"critical": 2, "error": 3, "warning": 4}


def is_journal() -> bool:
    """Return whether standard error leads to the journal, as systemd says."""
    stream = os.fstat(_STDERR)
    return os.environ.get("JOURNAL_STREAM") == f"{stream.st_dev}:{stream.st_ino}"


def prioritize(level: str, text: str) -> str:
    """Return the text with a priority in front of each line, which the journal removes (sd-daemon(3))."""
    priority = f"<{_PRIORITIES.get(level, 6)}>"
    return priority + text.replace("\n", f"\n{priority}")


class LogWriter:
    """A stream whose `write` never waits and never fails; dropped lines are counted and logged later."""

    def __init__(self, log_dropped: Callable[[int], None]) -> None:
        self._log_dropped = log_dropped
        os.register_at_fork(after_in_child=self._begin)
        self._begin()

    def _begin(self) -> None:
        """Set up an empty queue without a thread; a fork does not copy the parent's thread."""
        self._lines: deque[bytes] = deque()
        self._bytes = self._dropped = 0
        self._lock, self._waiting, self._idle = Lock(), Event(), Event()
        self._idle.set()
        self._thread: Thread | None = None

    def write(self, text: str) -> None:
        line = text.encode(errors="backslashreplace")
        with self._lock:
            if self._bytes + len(line) > MAX_BYTES:
                self._dropped += 1
                return
            self._lines.append(line)
            self._bytes += len(line)
            self._idle.clear()
            if self._thread is None:
                self._start()
        if not self._waiting.is_set():
            self._waiting.set()

    def flush(self) -> None:
        """Do nothing: logging calls it, and the thread writes soon anyway."""

    def finish(self) -> None:
        self._idle.wait(FLUSH_SECONDS)

    def _start(self) -> None:
        thread = Thread(target=self._run, name="log", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            # No thread can start now; the next line tries again.
            return
        self._thread = thread
        # A worker ends without running atexit functions, and runs only these (multiprocessing.util).
        Finalize(None, self.finish, exitpriority=0)

    def _run(self) -> None:
        while True:
            self._waiting.wait()
            self._waiting.clear()
            while piece := self._next_piece():
                count, data = piece
                if not _write(data):
                    with self._lock:
                        self._dropped += count
                elif dropped := self._take_dropped():
                    self._log_dropped(dropped)
            time.sleep(PAUSE_SECONDS)

    def _take_dropped(self) -> int:
        with self._lock:
            dropped, self._dropped = self._dropped, 0
        return dropped

    def _next_piece(self) -> tuple[int, bytes] | None:
        with self._lock:
            lines: list[bytes] = []
            size = 0
            while self._lines and (not lines or size + len(self._lines[0]) <= PIECE_BYTES):
                lines.append(self._lines.popleft())
                size += len(lines[-1])
            self._bytes -= size
            if not lines:
                self._idle.set()
                return None
        return len(lines), b"".join(lines)


def _write(data: bytes) -> bool:
    """Write to standard error; return False when the pipe is closed or the disk is full."""
    while data:
        try:
            data = data[os.write(_STDERR, data) :]
        except OSError:
            return False
    return True
