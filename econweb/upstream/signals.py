"""Signals of this package: they tell others what the service sent, without an import of them."""

from django.dispatch import Signal

# Sent with the newest `series` of each reply about today, without the API key, before the caller gets the reply.
series_fetched = Signal()
