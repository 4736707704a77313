"""Django's configuration of the program: what happens when a catalogue is loaded."""

from django.apps import AppConfig


class Econweb(AppConfig):
    name = "econweb"

    def ready(self) -> None:
        from econweb.startup import series_titles, supplied_labels  # noqa: PLC0415  only now are there models

        series_titles.connect()
        supplied_labels.connect()
