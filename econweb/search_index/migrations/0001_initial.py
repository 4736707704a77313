from django.db import migrations, models


def create_full_text(apps, editor):
    """Each database has a full-text index of its own, which no model describes."""
    if editor.connection.vendor == "sqlite":
        editor.execute(
            "CREATE VIRTUAL TABLE search_index_fulltext "
            "USING fts5(words, content='', detail='none', columnsize=0, tokenize='ascii')"
        )
    else:
        editor.execute("ALTER TABLE search_index_seriestitle ADD COLUMN words tsvector")
        editor.execute("CREATE INDEX search_index_fulltext ON search_index_seriestitle USING gin (words)")
        # Words that begin so are looked up by code point.
        editor.execute('ALTER TABLE search_index_word ALTER COLUMN word TYPE varchar(64) COLLATE "C"')


class Migration(migrations.Migration):
    initial = True
    dependencies = []

    operations = [
        migrations.CreateModel(
            name="SeriesTitle",
            fields=[
                ("place", models.BigIntegerField(primary_key=True, serialize=False)),
                ("series_id", models.CharField(max_length=25, unique=True)),
                ("title", models.TextField()),
                ("frequency", models.TextField()),
                ("seasonal_adjustment", models.TextField()),
                ("units", models.TextField()),
                ("popularity", models.IntegerField()),
                ("source", models.CharField(max_length=9)),
            ],
        ),
        migrations.CreateModel(
            name="Word",
            fields=[
                ("word", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("uses", models.IntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="IndexState",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("revision", models.PositiveBigIntegerField(default=0)),
                ("serial", models.PositiveBigIntegerField(default=0)),
                ("catalogue", models.CharField(default="", max_length=80)),
                ("service", models.CharField(default="", max_length=32)),
            ],
        ),
        migrations.RunPython(create_full_text, migrations.RunPython.noop, elidable=False),
    ]
