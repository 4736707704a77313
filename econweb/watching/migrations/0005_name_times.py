from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("watching", "0004_name_accounts")]
    # The columns keep their names, so nothing changes in the database.
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("watchedsource", "looked", "state_at"),
                migrations.AlterField(
                    "watchedsource", "state_at", models.DateTimeField(db_column="looked", null=True)
                ),
                migrations.RenameField("watchedsource", "seen", "candidate_at"),
                migrations.AlterField(
                    "watchedsource", "candidate_at", models.DateTimeField(db_column="seen", null=True)
                ),
            ]
        )
    ]
