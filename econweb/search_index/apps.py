"""Django's configuration of the index of series titles."""

from django.apps import AppConfig


class SearchIndex(AppConfig):
    name = "econweb.search_index"

    def ready(self) -> None:
        from econweb.search_index import fetched  # noqa: PLC0415  only now are there models
        from econweb.upstream.signals import series_fetched  # noqa: PLC0415

        series_fetched.connect(fetched.remember, dispatch_uid="series titles")
