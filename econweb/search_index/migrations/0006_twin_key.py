from django.db import migrations, models

from econweb.search_index.titles.places import Record
from econweb.search_index.titles.twins import twin_key

BATCH = 1000


def fill_twin_keys(apps, editor):
    """Give the titles in the index their keys."""
    titles = apps.get_model("search_index", "SeriesTitle").objects.order_by("place")
    last = -1
    with editor.connection.cursor() as cursor:
        while batch := list(titles.filter(place__gt=last).values_list("place", *Record._fields)[:BATCH]):
            cursor.executemany(
                "UPDATE search_index_seriestitle SET twin_key = %s WHERE place = %s",
                [(twin_key(Record(*record)), place) for place, *record in batch],
            )
            last = batch[-1][0]


class Migration(migrations.Migration):
    dependencies = [("search_index", "0005_imported_title")]

    operations = [
        migrations.AddField("seriestitle", "twin_key", models.BigIntegerField(null=True)),
        migrations.RunPython(fill_twin_keys, migrations.RunPython.noop, elidable=True),
        migrations.AddIndex("seriestitle", models.Index(fields=["twin_key", "place"], name="title_by_twin_key")),
    ]
