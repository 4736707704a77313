from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("catalogue", "0002_chapters")]
    # The table keeps its name, so nothing changes in the database.
    operations = [
        migrations.AlterModelTable("chapter", "catalogue_chapter"),
        migrations.RenameModel("Chapter", "Checkpoint"),
    ]
