"""A temporary PostgreSQL that stops or is out of connections while a host reads from it."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.drills.outcome import Outcome, not_in, seconds_until, secrets_in
from bench.measure import load, request
from bench.servers import econweb, free_port

# P5: seconds for an error response while the database is down, and for the recovery.
DEGRADED, BACK = 2.0, 5.0


@dataclass(frozen=True)
class Cluster:
    """`control` is pg_ctl for it, `options` how it is started."""

    url: str
    control: Sequence[str]
    options: Sequence[str]

    def start(self) -> None:
        subprocess.run([*self.control, *self.options, "start"], check=True)

    def stop(self) -> None:
        subprocess.run([*self.control, "-m", "immediate", "stop"], check=False, stderr=subprocess.DEVNULL)


@contextmanager
def postgresql(primary: str = "", more: str = "") -> Iterator[Cluster]:
    """A cluster of its own, or one that follows another; it refuses to run as root."""
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    folder, port = Path(tempfile.mkdtemp(prefix="econweb-bench-")), free_port()
    shutil.chown(folder, "postgres")
    as_user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
    create = [f"{programs}/initdb", "-A", "trust", "-U", "econweb"]
    if primary:
        create = [f"{programs}/pg_basebackup", "--checkpoint=fast", "--write-recovery-conf", "-d", primary]
    subprocess.run([*as_user, *create, "-D", f"{folder}/data"], check=True, stdout=subprocess.DEVNULL)
    options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off {more}"
    cluster = Cluster(
        f"postgresql://econweb@127.0.0.1:{port}/postgres",
        [*as_user, f"{programs}/pg_ctl", "-D", f"{folder}/data", "-w", "-s"],
        ["-l", f"{folder}/log", "-o", options],
    )
    cluster.start()
    try:
        yield cluster
    finally:
        cluster.stop()
        shutil.rmtree(folder)


def away(seconds: float = 3.0) -> Outcome:
    """P5: it stops under load and starts again; requests that need it meanwhile fail in time."""
    with postgresql() as cluster, econweb({"DATABASE_URL": cluster.url}) as server:
        pages = [request("/series/GNPCA/"), request("/release/53/tags/"), request("/category/125/tags/")]
        with load(server, pages, seconds + 2, 16) as seen:
            time.sleep(1)
            cluster.stop()
            ready, page = server.get("/readyz"), server.get("/release/9/tags/")
            time.sleep(seconds - 1)
        cluster.start()
        recovery = seconds_until(lambda: server.get("/release/9/tags/").status == 200)
        lost = [not_in(seen, {"200", "503"})]
        if (ready.status, page.status) != (503, 503) or b'role="alert"' not in page.body:
            lost.append(f"/readyz answered {ready.status}, a page {page.status}")
        if seen.worst > DEGRADED:
            lost.append(f"an answer took {seen.worst:.1f} s")
        said, leaked = ", ".join(filter(None, lost)), secrets_in(server, page.body, ready.body)
        noted = f"{seen.statuses}, worst {seen.worst:.2f} s"
        return Outcome("PostgreSQL away", "stopped under 16 readers", said, leaked, recovery, noted, BACK)


def crowded(readers: int = 64) -> Outcome:
    """P5: it takes fewer connections than the program would open."""
    with (
        postgresql(more="-c max_connections=8") as cluster,
        econweb({"DATABASE_URL": cluster.url}) as server,
    ):
        pages = [request(f"/category/125/tags/?limit={limit}") for limit in range(1, 500)]
        with load(server, pages, 5, readers, patient=True) as seen:
            pass
        recovery = seconds_until(lambda: server.get("/readyz").status == 200)
        lost, tried = not_in(seen, {"200", "503"}), f"8 connections for {readers} readers"
        return Outcome("PostgreSQL full", tried, lost, secrets_in(server), recovery, str(seen.statuses), BACK)
