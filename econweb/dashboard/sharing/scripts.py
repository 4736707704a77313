"""The requests of a pack as scripts: each goes on after a failure, names what failed, and then ends with an error.

The message of a failed request may have its URL, and so the key: the scripts write the name of the request instead.
"""

from collections.abc import Iterable, Sequence

from econweb.dashboard.sharing.snippets import PLACEHOLDER, ServiceRequest, write_curl

SOME_FAILED = "Some requests failed."


def scripts(requests: Sequence[ServiceRequest]) -> dict[str, str]:
    """Return a script for each language of the snippets, and the URLs alone."""
    return {
        "URL": _join(request.url() for request in requests),
        "curl": _write_shell(requests),
        "Python": _write_python(requests),
        "R": _write_r(requests),
        "Julia": _write_julia(requests),
        "Stata": _write_stata(requests),
    }


def _write_shell(requests: Sequence[ServiceRequest]) -> str:
    parts = [f'{write_curl(one)} ||\n  {{ echo "{one.name}: failed" >&2; failed=1; }}' for one in requests]
    return _join(["failed=0", *parts, "exit $failed"])


def _write_python(requests: Sequence[ServiceRequest]) -> str:
    listed = "".join(f"    ({one.name!r}, {one.endpoint!r}, {dict(one.parameters)!r}),\n" for one in requests)
    return (
        "import sys\n\nimport requests\n\n"
        f'KEY = "{PLACEHOLDER}"\nREQUESTS = [\n{listed}]\n\n'
        "failed = 0\n"
        "for name, address, parameters in REQUESTS:\n"
        '    parameters = {**parameters, "file_type": "json", "api_key": KEY}\n'
        "    try:\n"
        "        reply = requests.get(address, params=parameters, timeout=30)\n"
        "        reply.raise_for_status()\n"
        "        print(reply.json())\n"
        "    except requests.RequestException as error:\n"
        "        failed += 1\n"
        '        status = getattr(error.response, "status_code", type(error).__name__)\n'
        '        print(f"{name}: {status}", file=sys.stderr)\n'
        "sys.exit(failed > 0)"
    )


def _write_r(requests: Sequence[ServiceRequest]) -> str:
    fetch = (
        "failed <- FALSE\n"
        "fetch <- function(name, address) {\n"
        "  tryCatch(str(suppressWarnings(jsonlite::fromJSON(address))), error = function(e) {\n"
        '    message(name, ": failed")\n'
        "    failed <<- TRUE\n"
        "  })\n"
        "}"
    )
    calls = (f'fetch("{one.name}", "{one.url()}")' for one in requests)
    return _join([fetch, *calls, f'if (failed) stop("{SOME_FAILED}")'])


def _write_julia(requests: Sequence[ServiceRequest]) -> str:
    listed = "".join(f'    ("{one.name}", "{one.url()}"),\n' for one in requests)
    return (
        f"using Downloads, JSON\n\naddresses = [\n{listed}]\n\n"
        "failed = String[]\n"
        "for (name, address) in addresses\n"
        "    try\n"
        "        println(JSON.parse(read(Downloads.download(address), String)))\n"
        "    catch\n"
        '        println(stderr, name, ": failed")\n'
        "        push!(failed, name)\n"
        "    end\n"
        "end\n"
        f'isempty(failed) || error("{SOME_FAILED}")'
    )


def _write_stata(requests: Sequence[ServiceRequest]) -> str:
    parts = (
        f'capture copy "{one.url("xml")}" "reply.xml", replace\n'
        f'if _rc {{\n    display as error "{one.name}: failed"\n    local failed 1\n}}\n'
        'else type "reply.xml"'
        for one in requests
    )
    return _join(["local failed 0", *parts, "if `failed' exit 1"])


def _join(parts: Iterable[str]) -> str:
    return "\n\n".join(parts)
