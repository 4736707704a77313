from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("search_index", "0006_twin_key")]

    operations = [
        # The database has the default: during an upgrade a process of the earlier version may insert the row.
        migrations.AddField("indexstate", "has_sample", models.BooleanField(db_default=False)),
    ]
