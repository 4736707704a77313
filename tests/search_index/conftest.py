"""Fixtures of the index."""

from tests.search_index.sample import sample_titles

__all__ = ["sample_titles"]
