"""ETags of pages, computed from the data that a page depends on."""

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.cache import get_conditional_response, patch_vary_headers

from econweb.cacheable_response import CacheableResponse
from econweb.dashboard.rendering.pages import LAYOUT_HEADERS, choose_layout
from econweb.search_index.titles.sample import shows_sample

# Headers that compare ETags.
_CONDITIONS = {"HTTP_IF_MATCH", "HTTP_IF_NONE_MATCH"}


def conditional_response(
    request: HttpRequest,
    get_revision: Callable[[], object],
    make: Callable[[], HttpResponse],
    revision: object = None,
) -> CacheableResponse:
    """Return the page, or a 304.

    The page may depend on nothing but its revision, its link, the day and whether the site shows the sample.
    `revision` is what `get_revision` would return now, where the caller knows it already.
    """
    # The cached response holds on to this tuple, so it is small.
    address = (choose_layout(request), request.get_full_path())
    etag = _etag(address, get_revision() if revision is None else revision)
    response = get_conditional_response(request, etag=etag) if _CONDITIONS & request.META.keys() else None
    response = make() if response is None else response
    # The ETag depends on the layout, which these headers choose.
    patch_vary_headers(response, LAYOUT_HEADERS)
    response["ETag"] = etag
    return CacheableResponse(response, lambda: etag == _etag(address, get_revision()))


def weak_etag(*parts: object) -> str:
    return f'W/"{blake2b(repr((build_id(), *parts)).encode(), digest_size=12).hexdigest()}"'


def _etag(address: tuple[str, str], revision: object) -> str:
    return weak_etag(timezone.localdate(), shows_sample(), address, revision)


@cache
def build_id() -> str:
    """Return a digest of code, templates, styles, and of settings that pages show: equal on all hosts."""
    files, code, digest = settings.BASE_DIR, settings.PACKAGE_DIR, blake2b(digest_size=8)
    links = (settings.ECON_WEBSITE, settings.ECON_WEBSITE_CATEGORY, settings.ECON_WEBSITE_RELEASE)
    shown = (settings.ECON_PROVIDER, settings.SERVICE_NOTICE, settings.SITE, settings.READ, settings.MCP)
    chosen = (settings.SIGN_IN, settings.FRAME_ANCESTORS, settings.ECON_BASE_URL, settings.ECON_MAY_STORE)
    digest.update(repr((*links, *shown, *chosen)).encode())
    if settings.SITE.logo:
        digest.update(Path(settings.SITE.logo).read_bytes())
    parts = [(files, path) for path in (*files.glob("templates/**/*"), *files.glob("static/**/*"))]
    parts += [(code, path) for path in code.glob("**/*.py")]
    for name, path in sorted((str(path.relative_to(folder)), path) for folder, path in parts if path.is_file()):
        text = path.read_bytes()
        digest.update(f"{name} {len(text)} ".encode() + text)
    return digest.hexdigest()
