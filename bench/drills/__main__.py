"""All drills, or with --quick the half that takes about five minutes; ends with 1 when anything was lost."""

import argparse
import sys
from collections.abc import Callable
from functools import partial

from bench.drills import (
    certificates,
    crowds,
    disks,
    doors,
    hostile,
    hosts,
    killed_library,
    killed_loads,
    killed_mails,
    killed_watchers,
    mail_gone,
    memory,
    postgresql,
    processes,
    proxy,
    proxy_attacks,
    restore,
    rolling,
    stalled,
    upgrade,
    upstream,
    wrong_user,
)
from bench.drills.outcome import Outcome
from bench.report import machine, print_machine

Drill = Callable[[], Outcome]
QUICK: tuple[Drill, ...] = (
    upstream.herd,
    upstream.expiry,
    partial(upstream.outage, "failing"),
    partial(upstream.outage, "lying"),
    processes.killed,
    processes.stopped,
    processes.log_stalls,
    disks.full,
    disks.cache_gone,
    partial(disks.spoilt, b""),
    partial(killed_loads.killed_loads, 5),
    partial(killed_library.killed_library, 3),
    partial(killed_mails.killed_mails, 6, 60),
    mail_gone.mail_gone,
    certificates.certificates,
    wrong_user.wrong_user,
    partial(killed_watchers.killed_watchers, 10, 60),
    partial(restore.restore, "SQLite"),
    partial(restore.restore, "PostgreSQL"),
    hosts.one_allowance,
    hosts.one_portal,
    hosts.host_killed,
    proxy.kept_pages,
    proxy.crowded,
    proxy_attacks.logs,
    proxy_attacks.headers,
    stalled.slow,
    partial(hostile.hostile, 1000),
    partial(doors.passwords, 500),
    partial(doors.proxy, 500),
    partial(doors.provider, 500),
)
LONG: tuple[Drill, ...] = (
    partial(upstream.outage, "silent"),
    partial(upstream.outage, "dripping"),
    upstream.quota,
    processes.reloaded,
    partial(processes.killed, 2),
    processes.hung,
    processes.few_files,
    processes.little_memory,
    memory.long_words,
    memory.long_words_in_little_memory,
    processes.elsewhere,
    disks.locked,
    partial(disks.spoilt, b"nonsense" * 4096),
    killed_loads.killed_loads,
    killed_library.killed_library,
    killed_mails.killed_mails,
    killed_watchers.killed_watchers,
    killed_watchers.every_day_on_postgresql,
    hosts.read_copy,
    rolling.rolling_upgrade,
    partial(upgrade.upgrade, upgrade.FIRST, "SQLite"),
    partial(upgrade.upgrade, upgrade.VERSION_0_1, "SQLite"),
    partial(upgrade.upgrade, upgrade.VERSION_0_1, "PostgreSQL"),
    hosts.clocks_apart,
    postgresql.away,
    postgresql.crowded,
    hostile.hostile,
    doors.passwords,
    doors.proxy,
    doors.provider,
    stalled.silent,
    proxy.cut_off,
    proxy_attacks.long_heads,
    proxy_attacks.trickle,
    proxy_attacks.greedy,
    *(partial(crowds.crowd, users, 60.0) for users in (1, 16, 64, 256)),
    crowds.overload,
    crowds.views,
    crowds.soak,
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.drills", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="leave out the long ones")
    drills = QUICK if parser.parse_args().quick else QUICK + LONG
    print_machine(machine())
    print("| drill | tried | lost | leaked | recovery | noted | |\n|---|---|---|---|---:|---|---|")
    outcomes = []
    for drill in drills:
        outcomes.append(drill())
        print(outcomes[-1].line(), flush=True)
    return 0 if all(outcome.good for outcome in outcomes) else 1


if __name__ == "__main__":
    sys.exit(main())
