"""A description of a view as a Dataset of schema.org, for search engines and other programs."""

from collections.abc import Mapping

from django.conf import settings

# In characters: search engines read no more.
MAX_DESCRIPTION = 500


def describe_dataset(name: str, description: str, url: str, more: Mapping[str, object]) -> dict[str, object] | None:
    """Return the description for a page, or None where not everybody may read; fields without a value are left out."""
    if settings.READ != "anyone":
        return None
    given = {"name": name, "description": description[:MAX_DESCRIPTION], "url": url, **more}
    return {"@context": "https://schema.org/", "@type": "Dataset"} | {key: one for key, one in given.items() if one}


def organization(name: str) -> dict[str, str] | None:
    return {"@type": "Organization", "name": name} if name else None
