import secrets

from django.db import migrations

from econweb.label_book.folding import fold


def fold_names_again(apps, editor):
    """Fold names again: letters with dots between them, such as U.S., have become one word."""
    labels = apps.get_model("shelf", "Label").objects
    found = list(labels.filter(name__contains="."))
    for label in found:
        label.words, label.revision = fold(label.name), secrets.randbits(40)
    labels.bulk_update(found, ["words", "revision"], batch_size=500)


class Migration(migrations.Migration):
    dependencies = [("shelf", "0005_label_without_lost_letters")]

    operations = [migrations.RunPython(fold_names_again, migrations.RunPython.noop, elidable=True)]
