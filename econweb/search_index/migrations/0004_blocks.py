from django.db import migrations, models
from django.db.models.deletion import CASCADE


def forget_tags(apps, editor):
    """Let the reader fill the index again: no row of it is kept."""
    for name in ("Occurrence", "TaggedOwner", "IndexedTag"):
        apps.get_model("search_index", name).objects.all().delete()
    apps.get_model("search_index", "ReaderState").objects.update(edition="", rebuilding="")


class Migration(migrations.Migration):
    dependencies = [("search_index", "0003_reader")]

    operations = [
        migrations.RunPython(forget_tags, migrations.RunPython.noop, elidable=False),
        migrations.DeleteModel("Occurrence"),
        migrations.AddField("taggedowner", "block", models.BigIntegerField(default=0), preserve_default=False),
        migrations.CreateModel(
            name="OccurrenceBlock",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("generation", models.SmallIntegerField()),
                ("block", models.BigIntegerField()),
                ("owners", models.PositiveIntegerField()),
                ("packed", models.BinaryField()),
                ("tag", models.ForeignKey(db_index=False, on_delete=CASCADE, to="search_index.indexedtag")),
            ],
            options={
                "indexes": [
                    models.Index(fields=["tag", "generation", "owners"], name="block_by_tag"),
                    models.Index(fields=["block"], name="block_by_number"),
                ],
            },
        ),
    ]
