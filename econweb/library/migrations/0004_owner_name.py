import json
import re

from django.db import migrations, models

TARGET = re.compile(r"/(category|release)/([0-9]+)/tags/")
# No row of the library may have it.
REPLACEMENT = "\ufffd"


def keep_names(apps, schema_editor):
    """Give each copy the name before the first recorded change since its freezing, or that of today."""
    copies, labels = apps.get_model("library", "FrozenCopy"), apps.get_model("shelf", "Label")
    changes = apps.get_model("accounts", "Change")
    # A list, since each row is changed.
    for copy_id, target, created in list(copies.objects.filter(kind="tags").values_list("pk", "target", "created")):
        if not (owner := TARGET.match(target)):
            continue
        kind, number = owner[1], int(owner[2])
        since = changes.objects.filter(kind="name", key=f"{kind} {number}", moment__gt=created)
        if first := since.order_by("moment", "id").first():
            name = json.loads(first.before_json or "{}").get("name", "")
        else:
            name = labels.objects.filter(kind=kind, number=number).values_list("name", flat=True).first() or ""
        if name and REPLACEMENT not in name:
            copies.objects.filter(pk=copy_id).update(owner_name=name)


class Migration(migrations.Migration):

    dependencies = [
        ("library", "0003_sample"),
        ("accounts", "0003_change"),
        ("shelf", "0001_initial"),
    ]

    operations = [
        # The database has the default: during an upgrade a process of the earlier version may insert a copy.
        migrations.AddField("frozencopy", "owner_name", models.CharField(db_default="", default="", max_length=200)),
        migrations.RunPython(keep_names, migrations.RunPython.noop, elidable=True),
    ]
