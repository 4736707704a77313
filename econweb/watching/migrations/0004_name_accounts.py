from django.db import migrations, models


def name_accounts(apps, schema_editor):
    accounts = apps.get_model("auth", "User").objects.filter(username=models.OuterRef("person"))
    apps.get_model("watching", "Watch").objects.update(account_id=models.Subquery(accounts.values("pk")[:1]))


class Migration(migrations.Migration):
    dependencies = [("watching", "0003_watch_account")]

    operations = [migrations.RunPython(name_accounts, migrations.RunPython.noop)]
