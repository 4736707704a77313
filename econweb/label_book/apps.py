"""Django's configuration of the label book."""

from django.apps import AppConfig


class LabelBook(AppConfig):
    name = "econweb.label_book"
    # Tables, permissions and admin URLs carry this label since version 0.1.
    label = "shelf"
    verbose_name = "Label book"
