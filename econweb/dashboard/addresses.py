"""The paths of our pages, each worked out once: a page has some twenty."""

from functools import lru_cache

from django.urls import reverse


@lru_cache(maxsize=10_000)
def path_of(page: str, *arguments: object) -> str:
    return reverse(page, args=arguments)
