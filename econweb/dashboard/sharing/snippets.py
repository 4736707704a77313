"""The request behind a view as a URL and as code in five languages."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpRequest

from econweb.upstream.queries import TAG_OWNERS

# As written in the contract.
PLACEHOLDER = "<API_KEY>"


@dataclass(frozen=True)
class ServiceRequest:
    """A request to the service; `endpoint` includes its path."""

    endpoint: str
    parameters: Mapping[str, str]

    def url(self, file_type: str = "json") -> str:
        """Return the percent-encoded URL, safe inside string literals of any language."""
        query = urlencode({**self.parameters, "file_type": file_type})
        return f"{self.endpoint}?{query}&api_key={PLACEHOLDER}"

    @property
    def name(self) -> str:
        """Return what a script says of a request that failed: letters, digits, underscores, blanks and commas."""
        names = ("series_id", *(f"{kind}_id" for kind in TAG_OWNERS), "offset")
        return ", ".join(f"{name} {self.parameters[name]}" for name in names if name in self.parameters)

    def all_parameters(self) -> dict[str, str]:
        return {**self.parameters, "file_type": "json", "api_key": PLACEHOLDER}


def snippets(request: ServiceRequest) -> dict[str, str]:
    return {
        "URL": request.url(),
        "curl": write_curl(request),
        "Python": _write_python(request),
        "R": f'reply <- jsonlite::fromJSON("{request.url()}")\nstr(reply)',
        "Julia": _write_julia(request),
        # Stata reads neither format by itself; the user can open the file and parse it.
        "Stata": f'copy "{request.url("xml")}" "reply.xml", replace\ntype "reply.xml"',
    }


def load_in_stata(header: int) -> str:
    """Return the command that loads rows.csv, with the names of its columns in this line."""
    options = f'varnames({header}) rowrange({header + 1}:) bindquote(strict) encoding("UTF-8") clear'
    return f'import delimited using "rows.csv", {options}'


def fetch_in_stata(address: str) -> str:
    """Return the commands that fetch and load a CSV file without comments."""
    return f'copy "{address}" "rows.csv", replace\n{load_in_stata(1)}'


def write_curl(request: ServiceRequest) -> str:
    return f"curl --fail --silent --show-error {curl_arguments(request)}"


def curl_arguments(request: ServiceRequest) -> str:
    fields = [f"--data-urlencode {shlex.quote(f'{n}={v}')}" for n, v in request.all_parameters().items()]
    return " \\\n  ".join([f"--get {shlex.quote(request.endpoint)}", *fields])


def _write_python(request: ServiceRequest) -> str:
    fields = "".join(f"        {name!r}: {value!r},\n" for name, value in request.all_parameters().items())
    return (
        "import requests\n\n"
        f"reply = requests.get(\n    {request.endpoint!r},\n    params={{\n{fields}    }},\n"
        "    timeout=30,\n)\n"
        "reply.raise_for_status()\nprint(reply.json())"
    )


def _write_julia(request: ServiceRequest) -> str:
    return (
        "using Downloads, JSON\n\n"
        f'address = "{request.url()}"\nreply = JSON.parse(read(Downloads.download(address), String))'
    )


def endpoint_url(request: HttpRequest, endpoint: str, service: str) -> str:
    """Return the address of an endpoint; `service` is empty for the embedded one."""
    if service:
        return f"{service}/{settings.ECON_SERVICE_PATH}/{endpoint}"
    return request.build_absolute_uri(f"{settings.CATALOGUE_PATH}{endpoint}")
