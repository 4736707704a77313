"""A9: a worker that hangs is ended with its stacks in the log, so that the server replaces it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from econweb.serving.hung_workers import MAX_SILENCE, WorkerWatch

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
# Two workers as the server starts them: one hangs, the other one sleeps.
PROGRAM = """
import multiprocessing
import os
import signal
import sys
import time

from econweb.serving.hung_workers import HEARTBEAT_SECONDS, WorkerWatch, start_heartbeat


def hold_interpreter():
    sum(range(10**13))


def stop():
    os.kill(os.getpid(), signal.SIGSTOP)
    time.sleep(60)


def work(writer, hang):
    start_heartbeat(writer)
    time.sleep(2 * HEARTBEAT_SECONDS)
    globals()[hang]() if hang else time.sleep(600)


if __name__ == "__main__":
    method, hang = sys.argv[1:]
    watch = WorkerWatch(max_silence=5.0)
    new = multiprocessing.get_context(method).Process
    hung, healthy = (new(target=work, args=(watch.writer, name)) for name in (hang, ""))
    hung.start()
    healthy.start()
    watch.start()
    hung.join()
    print("ended by", hung.exitcode, "the other lives:", healthy.is_alive(), flush=True)
    healthy.kill()
"""


@pytest.mark.parametrize(
    ("method", "hang"), [("fork", "hold_interpreter"), ("spawn", "hold_interpreter"), ("fork", "stop")]
)
def test_hung_worker_is_killed_with_its_stacks_in_the_log(tmp_path: Path, method: str, hang: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    ended = subprocess.run(
        [sys.executable, program, method, hang],
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )

    assert f"ended by {-signal.SIGKILL} the other lives: True" in ended.stdout
    assert "a worker hangs and is replaced" in ended.stdout + ended.stderr
    assert f"in {hang}" in ended.stderr


@contextmanager
def sleeping(command: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(command, shell=True, text=True, stdout=subprocess.PIPE, start_new_session=True) as process:  # noqa: S602
        yield process
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def pass_time(watch: WorkerWatch, begin: float, seconds: int) -> float:
    """Check every second of it; nothing waits."""
    for second in range(seconds + 1):
        watch.check(begin + second)
    return begin + seconds


def test_hung_worker_check_ignores_delay_of_the_main_process() -> None:
    """A9: a laptop sleeps, a container is paused."""
    with sleeping("exec sleep 600") as worker, capture_logs() as logs:
        watch, now = WorkerWatch(), time.monotonic()
        os.write(watch.writer.fileno(), worker.pid.to_bytes(4, sys.byteorder))
        now = pass_time(watch, now, int(MAX_SILENCE) - 1)
        watch.check(now + 3600)
        now = pass_time(watch, now + 3600, int(MAX_SILENCE) - 1)
        before = len(logs)
        pass_time(watch, now, 1)

        # `sleep` has no handler that writes stacks, and ends by the signal for it.
        assert worker.wait(60) == -signal.SIGUSR2
    assert (before, len(logs)) == (0, 1)


def test_hung_worker_check_kills_children_only() -> None:
    """A9: the worker may be gone, and another program have its number."""
    with sleeping("sleep 600 & echo $!; wait") as parent, capture_logs() as logs:
        assert parent.stdout
        other = int(parent.stdout.readline())
        watch = WorkerWatch()
        os.write(watch.writer.fileno(), other.to_bytes(4, sys.byteorder))
        pass_time(watch, time.monotonic(), int(MAX_SILENCE) + 5)
        os.kill(other, 0)

    assert logs == []


def test_workers_are_not_delayed_by_the_main_process() -> None:
    """A9"""
    watch = WorkerWatch()
    beats = b"\0" * 4000
    with pytest.raises(BlockingIOError):
        any(not os.write(watch.writer.fileno(), beats) for _ in range(1000))
