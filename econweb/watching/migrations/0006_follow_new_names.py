from django.db import migrations, models


def follow_new_names(apps, schema_editor):
    """Give the watches and subscriptions of renamed accounts the name that their account has now."""
    users = apps.get_model("auth", "User").objects
    names = models.Subquery(users.filter(pk=models.OuterRef("account")).values("username")[:1])
    for model, same in (("Watch", ["target"]), ("Subscription", [])):
        rows = apps.get_model("watching", model).objects.all()
        for row in rows.annotate(now=names).exclude(now=None).exclude(now=models.F("person")).order_by("pk"):
            others = rows.filter(person=row.now, **{field: getattr(row, field) for field in same})
            # The person may have chosen the same again under the new name.
            if others.exists():
                row.delete()
            else:
                rows.filter(pk=row.pk).update(person=row.now)


class Migration(migrations.Migration):
    dependencies = [("watching", "0005_name_times")]

    operations = [migrations.RunPython(follow_new_names, migrations.RunPython.noop)]
