from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0003_rename_chapter")]
    # The column keeps its name, so nothing changes in the database.
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RemoveConstraint("checkpoint", "one_chapter_a_place"),
                migrations.RenameField("checkpoint", "tale", "event"),
                migrations.AlterField("checkpoint", "event", models.CharField(db_column="tale", max_length=5)),
                migrations.AddConstraint(
                    "checkpoint",
                    models.UniqueConstraint(
                        fields=["kind", "number", "event", "first_day", "place"], name="one_chapter_a_place"
                    ),
                ),
            ]
        )
    ]
