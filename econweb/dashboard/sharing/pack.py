"""The appendix pack of a view: an RO-Crate 1.1 with its rows, records, notes, citations, code and digests."""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from django.http import HttpRequest, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control

from econweb.dashboard.files.negotiation import MEDIA_TYPES
from econweb.dashboard.files.responses import TEXT_FORMATS
from econweb.dashboard.files.sheet import Sheet
from econweb.dashboard.files.streaming import stream
from econweb.dashboard.files.zip_stream import stream_zip
from econweb.dashboard.rendering.etags import weak_etag
from econweb.dashboard.rendering.response_head import add_links, other_form
from econweb.dashboard.sharing import citations
from econweb.dashboard.sharing.citations import Citation
from econweb.dashboard.sharing.scripts import scripts
from econweb.dashboard.sharing.snippets import ServiceRequest, load_in_stata
from econweb.library.canonical import Record
from econweb.upstream.records import Tag

log = structlog.get_logger("econweb.files")
# The suffix of its address, and its media type.
PACK, PACK_TYPE = "zip", "application/zip"
CRATE = "https://w3id.org/ro/crate/1.1"
METADATA, SUMS, VIEW = "ro-crate-metadata.json", "SHA256SUMS", "view.jsonl"
ABOUT_SUMS = "SHA-256 of every other file, for sha256sum -c"
ABOUT_VIEW = "Every record of the view, in the same form"
ABOUT_RECORDS = "Every record: a line of canonical JSON (RFC 8785) each, in the order of names"
# The file for the code of each language in `scripts`, with its media type.
CODE_FILES = {
    "URL": ("addresses.txt", "text/plain"),
    "curl": ("fetch.sh", "application/x-sh"),
    "Python": ("fetch.py", "text/x-python"),
    "R": ("fetch.R", "text/x-r"),
    "Julia": ("fetch.jl", "text/x-julia"),
    "Stata": ("fetch.do", "text/x-stata"),
}
README = """\
{title}
{description}

{facts}

Files
{files}

To check them, run: sha256sum -c {sums}
On Windows, compare {sums} with: Get-FileHash -Algorithm SHA256 rows.csv
In Stata, run rows.do in this folder. It loads rows.csv.
The digest of records.jsonl is that of all rows{view}.
The code asks the service again; write your own key into it.
{key_source}

To cite
{citation}"""


@dataclass(frozen=True)
class Pack:
    """The content of a pack; the same content gives the same bytes."""

    # Of the file, without its suffix.
    name: str
    title: str
    description: str
    # What readers have to know, as names and texts.
    facts: Mapping[str, str]
    # The moment of the content.
    moment: datetime
    # Makes the table of the view for a file of this suffix.
    make_sheet: Callable[[str], Sheet]
    # All records in canonical form, and its notes by name.
    records: bytes
    notes: Iterable[tuple[str, str]]
    citation: Citation
    # The address of the service, empty for the embedded one, and of this site.
    service: str
    site: str
    requests: Sequence[ServiceRequest]
    # The records of the view in canonical form, where they are not all.
    view: bytes = b""


def notes_of(records: Iterable[Record]) -> Iterator[tuple[str, str]]:
    """Yield the name and the notes of each record that has some."""
    for record in records:
        if record.notes:
            yield record.name if isinstance(record, Tag) else record.id, record.notes


class _File:
    """One file of the pack, with its size and digest once it was sent."""

    def __init__(self, name: str, about: str, media_type: str, content: Iterable[bytes]) -> None:
        self.name, self.about, self.media_type = name, about, media_type
        self.size, self._digest, self._content = 0, hashlib.sha256(), content

    def pieces(self) -> Iterator[bytes]:
        for piece in self._content:
            self.size += len(piece)
            self._digest.update(piece)
            yield piece

    @property
    def sha256(self) -> str:
        return self._digest.hexdigest()


def pack_response(request: HttpRequest, pack: Pack) -> HttpResponseBase:
    """Return the zip, or 304."""
    etag = weak_etag(PACK, pack.name, pack.title, pack.description, pack.facts, pack.citation)
    response = get_conditional_response(request, etag=etag) or _zip_response(pack)
    response["ETag"] = etag
    add_links(response, [other_form(pack.citation.link, "text/html")])
    patch_cache_control(response, private=True, no_cache=True)
    return response


def _zip_response(pack: Pack) -> StreamingHttpResponse:
    pieces = write_pack(pack)
    # What fails at once becomes an error page: nothing was sent yet.
    first = next(filter(None, pieces))
    response = StreamingHttpResponse(_send(pack, first, pieces), content_type=PACK_TYPE)
    response["Content-Disposition"] = f'attachment; filename="{pack.name}.{PACK}"'
    return response


def _send(pack: Pack, first: bytes, rest: Iterator[bytes]) -> Iterator[bytes]:
    """Yield all pieces. After an error the last ones are missing, without which no program opens a zip."""
    yield first
    try:
        yield from filter(None, rest)
    except Exception:
        # The status is sent already.
        log.exception("a pack broke off", file=pack.name)


def write_pack(pack: Pack) -> Iterator[bytes]:
    """Yield the zip while it is made."""
    return stream_zip(((file.name, file.pieces()) for file in _files(pack)), pack.moment)


def _files(pack: Pack) -> Iterator[_File]:
    """Yield the files; those with sizes and digests of others come after them."""
    sent = []
    for file in (*_rows(pack), *_texts(pack)):
        sent.append(file)
        yield file
    readme = _text("README.txt", "What the pack holds", _write_readme(pack, sent))
    yield readme
    metadata = _text(METADATA, "", _describe(pack, [*sent, readme]), "application/ld+json")
    yield metadata
    sums = (f"{file.sha256}  {file.name}\n" for file in (*sent, readme, metadata))
    yield _text(SUMS, ABOUT_SUMS, "".join(sums))


def _rows(pack: Pack) -> Iterator[_File]:
    for suffix, what in (("csv", "a table"), ("json", "records"), ("tex", "a table for LaTeX")):
        rows = stream(pack.make_sheet(suffix), TEXT_FORMATS[suffix], is_part=True)
        yield _File(f"rows.{suffix}", f"The rows of the view as {what}", MEDIA_TYPES[suffix], rows)
    yield _text("rows.do", "Loads rows.csv in Stata", _write_stata(pack.make_sheet("csv")), "text/x-stata")
    yield _File("records.jsonl", ABOUT_RECORDS, "application/jsonl", [pack.records])
    if pack.view:
        yield _File(VIEW, ABOUT_VIEW, "application/jsonl", [pack.view])


def _write_stata(sheet: Sheet) -> str:
    """Return the command that loads the rows: lines about the view stand above the names of their columns."""
    header = TEXT_FORMATS["csv"].head(sheet).count("\n")
    return f"{load_in_stata(header)}\n"


def _texts(pack: Pack) -> Iterator[_File]:
    notes = "\n".join(f"{name}\n{text.rstrip()}\n" for name, text in pack.notes)
    yield _text("notes.txt", "The notes of the records, each below its name", notes or "No record has notes.\n")
    for suffix, label in citations.LABELS.items():
        text = pack.citation.render(suffix)
        yield _text(f"citation.{suffix}", f"The citation: {label}", text, citations.MEDIA_TYPES[suffix])
    code = scripts(pack.requests)
    for language, (name, media_type) in CODE_FILES.items():
        yield _text(f"code/{name}", f"The requests to the service: {language}", f"{code[language]}\n", media_type)


def _text(name: str, about: str, text: str, media_type: str = "text/plain") -> _File:
    return _File(name, about, media_type, [text.encode()])


def _write_readme(pack: Pack, files: Sequence[_File]) -> str:
    return README.format(
        title=pack.title,
        description=pack.description,
        facts="\n".join(f"{name}: {text}" for name, text in pack.facts.items() if text),
        files="\n".join(f"{file.name}: {file.about}" for file in files),
        sums=SUMS,
        view=f", and that of {VIEW} is in the citation" if pack.view else "",
        key_source=f"Ask the data provider for a key: {pack.service}"
        if pack.service
        else f"Ask the administrator of {pack.site} for a key.",
        citation=pack.citation.render("txt"),
    )


def _describe(pack: Pack, files: Sequence[_File]) -> str:
    """Return the metadata of the crate (JSON-LD)."""
    parts = [*({**_entity(file), "contentSize": str(file.size), "sha256": file.sha256} for file in files)]
    parts.append(_entity(_text(SUMS, ABOUT_SUMS, "")))
    root = {
        "@id": "./",
        "@type": "Dataset",
        "name": pack.title,
        "description": pack.description,
        "datePublished": pack.moment.isoformat(timespec="seconds"),
        "identifier": pack.citation.link,
        "url": pack.citation.link,
        "version": pack.citation.version,
        "author": {"@id": "#provider"},
        "publisher": {"@id": "#provider"},
        "license": {"@id": "#terms"},
        "hasPart": [{"@id": part["@id"]} for part in parts],
    }
    terms = f"The terms of {pack.citation.publisher} hold for the content. Ask there before you pass it on."
    graph = [
        {
            "@id": METADATA,
            "@type": "CreativeWork",
            "conformsTo": {"@id": CRATE},
            "about": {"@id": "./"},
        },
        root,
        {
            "@id": "#provider",
            "@type": "Organization",
            "name": pack.citation.publisher,
            "url": pack.service or pack.site,
        },
        {"@id": "#terms", "@type": "CreativeWork", "name": "Terms of the provider", "description": terms},
        *parts,
    ]
    return json.dumps({"@context": f"{CRATE}/context", "@graph": graph}, indent=1, ensure_ascii=False) + "\n"


def _entity(file: _File) -> dict[str, str]:
    return {"@id": file.name, "@type": "File", "name": file.about, "encodingFormat": file.media_type}
