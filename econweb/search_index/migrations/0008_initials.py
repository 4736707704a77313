import secrets

from django.db import migrations

from econweb.search_index.titles import full_text, title_index

BATCH = 1000


def index_titles_again(apps, editor):
    """Index titles again: dots as in U.S. and characters that nobody sees no longer split a word."""
    states = apps.get_model("search_index", "IndexState").objects
    # Nobody else changes the index meanwhile.
    if states.select_for_update().first() is None:
        return
    if editor.connection.vendor == "postgresql":
        _store_words(apps, editor)
    with full_text.large_cache():
        title_index.rebuild()
    states.update(revision=secrets.randbits(60))


def _store_words(apps, editor):
    """PostgreSQL has the words in the rows of the titles."""
    titles = apps.get_model("search_index", "SeriesTitle").objects.filter(title__regex="[.]|[^ -~]").order_by("place")
    last = -1
    with editor.connection.cursor() as cursor:
        while batch := list(titles.filter(place__gt=last).values_list("place", "title")[:BATCH]):
            cursor.executemany(
                "UPDATE search_index_seriestitle SET words = array_to_tsvector(%s) WHERE place = %s",
                [(full_text.list_terms(*each), each[0]) for each in batch],
            )
            last = batch[-1][0]


class Migration(migrations.Migration):
    dependencies = [("search_index", "0007_sample")]

    operations = [migrations.RunPython(index_titles_again, migrations.RunPython.noop, elidable=True)]
