"""Read an appendix pack, and hold it to RO-Crate 1.1 and to what it says about itself."""

import hashlib
import io
import json
import zipfile
from typing import Any

CRATE = "https://w3id.org/ro/crate/1.1"
# Terms of the context of RO-Crate 1.1, as its entities here use them.
TERMS = set(
    """
    @id @type name description datePublished identifier url version author publisher license hasPart
    encodingFormat contentSize sha256 conformsTo about
    """.split()  # noqa: SIM905
)
MAY_LACK = {"ro-crate-metadata.json", "./", "#provider", "#terms"}


def read_crate(content: bytes) -> tuple[dict[str, bytes], dict[str, Any]]:
    """Return the files and the entities by id, after the checks."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        files = {name: archive.read(name) for name in archive.namelist()}
    metadata = json.loads(files["ro-crate-metadata.json"])
    assert set(metadata) == {"@context", "@graph"}
    assert metadata["@context"] == f"{CRATE}/context"
    entities = {entity["@id"]: entity for entity in metadata["@graph"]}
    assert len(entities) == len(metadata["@graph"])
    assert {term for entity in entities.values() for term in entity} <= TERMS
    _check_graph(entities)
    _check_files(files, entities)
    return files, entities


def _check_graph(entities: dict[str, Any]) -> None:
    """The descriptor leads to the root, which has what the specification asks of it; each reference leads somewhere."""
    descriptor, root = entities["ro-crate-metadata.json"], entities["./"]
    assert descriptor["@type"] == "CreativeWork"
    assert (descriptor["conformsTo"], descriptor["about"]) == ({"@id": CRATE}, {"@id": "./"})
    assert root["@type"] == "Dataset"
    assert all(root[name] for name in ("name", "description", "datePublished", "license", "author", "publisher"))
    for entity in entities.values():
        for value in entity.values():
            for reference in value if isinstance(value, list) else [value]:
                if isinstance(reference, dict):
                    assert set(reference) == {"@id"}
                    assert reference["@id"] in entities or reference["@id"] == CRATE


def _check_files(files: dict[str, bytes], entities: dict[str, Any]) -> None:
    """Every file is described, part of the root, and has the size and the digest that are said."""
    described = {part["@id"] for part in entities["./"]["hasPart"]}
    assert described == entities.keys() - MAY_LACK == files.keys() - {"ro-crate-metadata.json"}
    for name in described:
        entity = entities[name]
        assert entity["@type"] == "File"
        assert entity["name"]
        assert entity["encodingFormat"]
        if name != "SHA256SUMS":
            assert int(entity["contentSize"]) == len(files[name])
            assert entity["sha256"] == hashlib.sha256(files[name]).hexdigest()
    sums = [f"{hashlib.sha256(text).hexdigest()}  {name}" for name, text in files.items() if name != "SHA256SUMS"]
    assert files["SHA256SUMS"].decode().splitlines() == sums
