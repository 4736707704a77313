from django.db import migrations, models


def keep_imported_titles(apps, editor):
    """Keep the titles that earlier versions held in the index alone."""
    editor.execute(
        "INSERT INTO search_index_importedtitle (series_id, title) "
        "SELECT series_id, title FROM search_index_seriestitle WHERE source = 'imported'"
    )


class Migration(migrations.Migration):
    dependencies = [("search_index", "0004_blocks")]

    operations = [
        migrations.CreateModel(
            name="ImportedTitle",
            fields=[
                ("series_id", models.CharField(max_length=25, primary_key=True, serialize=False)),
                ("title", models.TextField()),
            ],
        ),
        migrations.RunPython(keep_imported_titles, migrations.RunPython.noop, elidable=False),
    ]
