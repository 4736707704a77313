"""The requests of a pack as scripts: each goes on after a failure, names what failed, and then ends with an error.

With the name of a failed request, a script prints the message of the service, but none of a library: that may have the
URL, and so the key. A service may repeat them too, so a script leaves out long words and what is not printable. Only
that of Julia prints letters beyond ASCII.
"""

from collections.abc import Iterable, Sequence

from econweb.dashboard.sharing.snippets import PLACEHOLDER, ServiceRequest, curl_arguments

SOME_FAILED = "Some requests failed."
STATA_IS_SILENT = "Stata drops the reason: check the key, and open the address in a browser."
# Letters of a message that a script prints, and of the shortest word that it leaves out; a key has 32.
MAX_MESSAGE, LONG_WORD = 300, 25
# Any reply ends with its status. Older programs of curl cannot keep the body of an error.
_SHELL = f"""\
failed=0

fetch() {{
  name=$1
  shift
  if reply=$(curl --silent --show-error --write-out '%{{http_code}}' "$@") && [ "${{reply%200}}" != "$reply" ]; then
    printf '%s\\n' "${{reply%200}}"
    return
  fi
  message=$(printf '%s' "$reply" | LC_ALL=C tr -cd ' -~' | sed -n 's/.*"error_message" *: *"\\([^"]*\\).*/\\1/p' |
    sed 's/[^ ]\\{{{LONG_WORD},\\}}/.../g' | cut -c1-{MAX_MESSAGE})
  printf '%s: failed. %s\\n' "$name" "$message" >&2
  failed=1
}}"""
_PYTHON = f"""\
def explain(error):
    reply = error.response
    if reply is None:
        return type(error).__name__
    try:
        message = str(reply.json()["error_message"])
    except (ValueError, KeyError, TypeError):
        message = ""
    message = re.sub("[^ -~]", "", message)
    message = re.sub("[^ ]{{{LONG_WORD},}}", "...", message)
    return f"{{reply.status_code}} {{message[:{MAX_MESSAGE}]}}"


failed = 0
for name, address, parameters in REQUESTS:
    parameters = {{**parameters, "file_type": "json", "api_key": KEY}}
    try:
        reply = requests.get(address, params=parameters, timeout=30)
        reply.raise_for_status()
        print(reply.json())
    except requests.RequestException as error:
        failed += 1
        print(f"{{name}}: {{explain(error)}}", file=sys.stderr)
sys.exit(failed > 0)"""
# R itself drops the body of an error, so the program curl asks once more.
_R = f"""\
explain <- function(address) {{
  tryCatch({{
    file <- tempfile()
    suppressWarnings(download.file(address, file, method = "curl", quiet = TRUE))
    message <- gsub("[^ -~]", "", jsonlite::fromJSON(file)$error_message, perl = TRUE)
    substr(gsub("[^ ]{{{LONG_WORD},}}", "...", message), 1, {MAX_MESSAGE})
  }}, error = function(e) "")
}}

failed <- FALSE
fetch <- function(name, address) {{
  tryCatch(str(suppressWarnings(jsonlite::fromJSON(address))), error = function(e) {{
    message(name, ": failed. ", explain(address))
    failed <<- TRUE
  }})
}}"""
_JULIA = f"""\
function explain(reply)
    try
        message = filter(isprint, JSON.parse(reply)["error_message"])
        return first(replace(message, r"[^ ]{{{LONG_WORD},}}" => "..."), {MAX_MESSAGE})
    catch
        return ""
    end
end

failed = String[]
for (name, address) in addresses
    body = IOBuffer()
    try
        response = Downloads.request(address; output = body)
        response.status == 200 || error("refused")
        println(JSON.parse(String(take!(body))))
    catch
        println(stderr, name, ": failed. ", explain(String(take!(body))))
        push!(failed, name)
    end
end
isempty(failed) || error("{SOME_FAILED}")"""


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
    return _join([_SHELL, *(f'fetch "{one.name}" {curl_arguments(one)}' for one in requests), "exit $failed"])


def _write_python(requests: Sequence[ServiceRequest]) -> str:
    listed = "".join(f"    ({one.name!r}, {one.endpoint!r}, {dict(one.parameters)!r}),\n" for one in requests)
    return f'import re\nimport sys\n\nimport requests\n\nKEY = "{PLACEHOLDER}"\nREQUESTS = [\n{listed}]\n\n\n{_PYTHON}'


def _write_r(requests: Sequence[ServiceRequest]) -> str:
    calls = (f'fetch("{one.name}", "{one.url()}")' for one in requests)
    return _join([_R, *calls, f'if (failed) stop("{SOME_FAILED}")'])


def _write_julia(requests: Sequence[ServiceRequest]) -> str:
    listed = "".join(f'    ("{one.name}", "{one.url()}"),\n' for one in requests)
    return f"using Downloads, JSON\n\naddresses = [\n{listed}]\n\n{_JULIA}"


def _write_stata(requests: Sequence[ServiceRequest]) -> str:
    parts = (
        f'capture copy "{one.url("xml")}" "reply.xml", replace\n'
        f'if _rc {{\n    display as error "{one.name}: failed. {STATA_IS_SILENT}"\n    local failed 1\n}}\n'
        'else type "reply.xml"'
        for one in requests
    )
    return _join(["local failed 0", *parts, "if `failed' exit 1"])


def _join(parts: Iterable[str]) -> str:
    return "\n\n".join(parts)
