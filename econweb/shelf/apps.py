"""How the admin calls this room."""

from django.apps import AppConfig


class Shelf(AppConfig):
    name = "econweb.shelf"
    verbose_name = "Label book"
