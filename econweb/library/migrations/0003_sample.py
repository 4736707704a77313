from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [("library", "0002_changed_copies")]

    operations = [
        # The database has the default: during an upgrade a process of the earlier version may insert a copy.
        migrations.AddField("frozencopy", "is_sample", models.BooleanField(db_default=False, default=False)),
    ]
