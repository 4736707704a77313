"""A check as a step of continuous integration, in shell and in Python without other packages.

The exit status is 0 if every id is fine, 1 if one is not, and 2 if the check could not be made.
"""

import json
import shlex
from collections.abc import Mapping

# Seconds that a step waits for a check that is not complete: at the usual rate limit, 200 new ids take two minutes.
PATIENCE = 900

# With --show-error curl would write a line for each try; --write-out writes the last error alone.
_SHELL = """\
#!/bin/sh
# Exits with 0 if every id is fine, with 1 if one is not, with 2 if the check could not be made.
# curl asks again as long as some ids are not checked yet.
checks=$({send_token}curl --fail --silent --max-time 60 --write-out '%{{onerror}}%{{stderr}}curl: %{{errormsg}}\\n' \\
  --retry 1000 --retry-max-time {patience} --get {address} \\
{token}{fields}) || exit 2
# One line for each id that is not fine.
printf '%s\\n' "$checks" | sed -n '/"verdict":/{{/"verdict":"fine"/!p;}}'
case $checks in *'"fine":true'*) exit 0 ;; *) exit 1 ;; esac
"""
_PYTHON = """\
# Exits with 0 if every id is fine, with 1 if one is not, with 2 if the check could not be made.
import json
{imports}import sys
import time
import urllib.error
import urllib.parse
import urllib.request

parameters = {{
{fields}}}
address = {address} + "?" + urllib.parse.urlencode(parameters)
request = urllib.request.Request(address{token})
deadline = time.monotonic() + {patience}
while True:
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            answer = json.load(reply)
        break
    except urllib.error.HTTPError as error:
        # Some ids are not checked yet, or something is wrong with the parameters.
        wait = int(error.headers.get("Retry-After") or 0)
        if not wait or time.monotonic() + wait > deadline:
            print(error, error.read().decode()[:2000], file=sys.stderr)
            sys.exit(2)
        time.sleep(wait)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        sys.exit(2)
for check in answer["checks"]:
    if check["verdict"] != "fine":
        print(check["id"], check["verdict"], check["reason"], sep=": ")
sys.exit(0 if answer["fine"] else 1)
"""


# Everybody on a machine sees the arguments of a program, so the token comes by a pipe; `printf` is part of the shell.
_SHELL_PIPE = """printf 'Authorization: Bearer %s\\n' "$ECONWEB_TOKEN" | """
_SHELL_HEADER = "  --header @- \\\n"
_PYTHON_HEADER = ', headers={"Authorization": "Bearer " + os.environ.get("ECONWEB_TOKEN", "")}'


def check_snippets(address: str, parameters: Mapping[str, str], needs_token: bool = False) -> dict[str, str]:
    """Return the code by its language; `address` is that of the check as JSON. A token is in the environment."""
    shell = " \\\n".join(f"  --data-urlencode {shlex.quote(f'{name}={value}')}" for name, value in parameters.items())
    python = "".join(f"    {json.dumps(name)}: {json.dumps(value)},\n" for name, value in parameters.items())
    pipe, with_shell, with_python = (_SHELL_PIPE, _SHELL_HEADER, _PYTHON_HEADER) if needs_token else ("", "", "")
    imports = "import os\n" if needs_token else ""
    quoted, written = shlex.quote(address), json.dumps(address)
    return {
        "Shell": _SHELL.format(address=quoted, fields=shell, patience=PATIENCE, send_token=pipe, token=with_shell),
        "Python": _PYTHON.format(address=written, fields=python, patience=PATIENCE, token=with_python, imports=imports),
    }
