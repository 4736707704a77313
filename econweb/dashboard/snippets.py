"""The request behind a view as code to paste, with a placeholder where the key goes."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

# As the contract writes it (spec 5).
PLACEHOLDER = "<API_KEY>"


@dataclass(frozen=True)
class ServiceRequest:
    """A request of spec 4; `address` ends with its path."""

    address: str
    parameters: Mapping[str, str]

    def url(self, file_type: str = "json") -> str:
        """Percent-encoded, so that no language sees a quote, a backslash or a dollar sign in it."""
        query = urlencode({**self.parameters, "file_type": file_type})
        return f"{self.address}?{query}&api_key={PLACEHOLDER}"

    def all_parameters(self) -> dict[str, str]:
        return {**self.parameters, "file_type": "json", "api_key": PLACEHOLDER}


def snippets(request: ServiceRequest) -> dict[str, str]:
    return {
        "URL": request.url(),
        "curl": _curl(request),
        "Python": _python(request),
        "R": f'reply <- jsonlite::fromJSON("{request.url()}")\nstr(reply)',
        "Julia": _julia(request),
        # Stata reads neither format by itself; the file can be looked at and taken apart.
        "Stata": f'copy "{request.url("xml")}" "reply.xml", replace\ntype "reply.xml"',
    }


def _curl(request: ServiceRequest) -> str:
    fields = [f"--data-urlencode {shlex.quote(f'{n}={v}')}" for n, v in request.all_parameters().items()]
    return " \\\n  ".join(
        [f"curl --fail --silent --show-error --get {shlex.quote(request.address)}", *fields]
    )


def _python(request: ServiceRequest) -> str:
    fields = "".join(f"        {name!r}: {value!r},\n" for name, value in request.all_parameters().items())
    return (
        "import requests\n\n"
        f"reply = requests.get(\n    {request.address!r},\n    params={{\n{fields}    }},\n"
        "    timeout=30,\n)\n"
        "reply.raise_for_status()\nprint(reply.json())"
    )


def _julia(request: ServiceRequest) -> str:
    return (
        "using Downloads, JSON\n\n"
        f'address = "{request.url()}"\nreply = JSON.parse(read(Downloads.download(address), String))'
    )
