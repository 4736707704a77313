from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("accounts", "0005_readingtoken")]

    operations = [migrations.AlterField("change", "key", models.CharField(max_length=150))]
