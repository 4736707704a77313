"""Measure the repeated page in each way to sign in, beside a bare view of the same bytes.

python -m bench.ways
"""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from urllib.parse import urlencode

from bench import service
from bench.bounds import Bound, report_bounds
from bench.measure import Subject, compare
from bench.pages import PAGE, bare
from bench.report import machine, report
from bench.servers import NONE, ROOT, SERVER_CORES, Server, econweb

PROXY = {"SIGN_IN": "proxy", "BEHIND_PROXY": "true", "PROXY_ADDRESSES": "127.0.0.1"}
NAMED = {"EconwebUser": "ada", "EconwebGroups": "staff"}
PASSWORD = {"SIGN_IN": "password"}
READ = {"READ": "signed-in"}


def signed_in(server: Server, settings: Mapping[str, str]) -> dict[str, str]:
    """Return the cookies of a person who has just chosen a password."""
    return choose_password(server, invite(server, settings))


def invite(server: Server, settings: Mapping[str, str], name: str = "ada") -> str:
    """Return the path of a link with which the person chooses a password."""
    invited = subprocess.run(
        [sys.executable, "manage.py", "invite", name],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "DATA_DIR": str(server.folder / "data"), **settings},
        capture_output=True,
        text=True,
        check=True,
    )
    return "/sign-in/" + invited.stdout.strip().partition("/sign-in/")[2]


def choose_password(server: Server, path: str) -> dict[str, str]:
    form = server.get(path)
    token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', form.body)
    assert token
    csrf = form.headers["set-cookie"].partition(";")[0]
    word = "a long pass phrase of ada"
    fields = {"csrfmiddlewaretoken": token[1].decode(), "new_password1": word, "new_password2": word}
    headers = {"Cookie": csrf, "Content-Type": "application/x-www-form-urlencoded"}
    found = re.findall(
        r"(econweb_session=\w+)", server.get(path, headers, body=urlencode(fields)).headers["set-cookie"]
    )
    return {"Cookie": found[-1]}


def main() -> None:
    before, rounds = machine(), int(sys.argv[1]) if sys.argv[1:] else 5
    with ExitStack() as stack:
        upstream = stack.enter_context(service.service())

        def start(settings: Mapping[str, str] = NONE) -> Server:
            return stack.enter_context(econweb({**upstream.settings(), **settings}, cores=SERVER_CORES))

        local, password, proxy = start(), start(PASSWORD), start(PROXY)
        reading, behind = start(PASSWORD | READ), start(PROXY | READ)
        floor = bare(stack, {"page": local.get(PAGE).body})
        subjects = {
            "local": Subject(local, [PAGE]),
            "password": Subject(password, [PAGE]),
            "password, signed in": Subject(password, [PAGE], signed_in(password, PASSWORD)),
            "proxy, named": Subject(proxy, [PAGE], NAMED),
            "password, READ=signed-in": Subject(reading, [PAGE], signed_in(reading, PASSWORD | READ)),
            "proxy, READ=signed-in": Subject(behind, [PAGE], NAMED),
        }
        for subject in subjects.values():
            assert subject.server.get(PAGE, subject.headers).status == 200
        figures = compare(floor | subjects, rounds)
    report("ways", figures, before)
    least = figures["bare view, page bytes"].cpu_us
    most = max(figures[name].cpu_us for name in subjects)
    what = "a repeated page in the slowest way to sign in, against a bare view"
    report_bounds("ways", before, [Bound(what, most / least, 1.5, "times")])


if __name__ == "__main__":
    main()
