"""Fold the stored names again: characters that nobody sees, and dots as in U.S., no longer split a word."""

import secrets

from django.db import migrations

from econweb.label_book.folding import fold


def fold_again(apps, editor):
    labels = apps.get_model("shelf", "Label").objects
    for key, name, words in list(labels.values_list("pk", "name", "words")):
        if words != fold(name):
            # Another revision, so that every process reads its labels again.
            labels.filter(pk=key).update(words=fold(name), revision=secrets.randbits(40))


class Migration(migrations.Migration):

    dependencies = [
        ("shelf", "0005_label_without_lost_letters"),
    ]

    operations = [
        migrations.RunPython(fold_again, migrations.RunPython.noop),
    ]
