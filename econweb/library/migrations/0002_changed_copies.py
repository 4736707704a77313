from django.db import migrations, models
from django.utils import timezone


class Migration(migrations.Migration):

    dependencies = [("library", "0001_initial")]

    operations = [
        migrations.AddField("frozencopy", "changed", models.DateTimeField(default=timezone.now), preserve_default=False),
        migrations.AlterField("frozencopy", "service", models.TextField()),
    ]
