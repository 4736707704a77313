from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("search_index", "0008_initials")]

    operations = [
        # The database has the default: during an upgrade a process of the earlier version may insert the row.
        migrations.AddField("indexstate", "edition", models.CharField(max_length=32, db_default="")),
    ]
