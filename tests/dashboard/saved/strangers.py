"""The name of a person that is a mail address, which no response to a stranger may have."""

from io import BytesIO
from zipfile import ZipFile

from django.http.response import HttpResponseBase

MAIL_ADDRESS = "ada.lovelace@example.org"


def names_somebody(response: HttpResponseBase) -> bool:
    """Look for the address in headers and body, and in the files of a workbook or pack."""
    body = b"".join(response) if response.streaming else response.content  # type: ignore[attr-defined]
    if body.startswith(b"PK"):
        with ZipFile(BytesIO(body)) as archive:
            body = b"".join(archive.read(name) for name in archive.namelist())
    return MAIL_ADDRESS.encode() in body + str(response.headers).encode()
