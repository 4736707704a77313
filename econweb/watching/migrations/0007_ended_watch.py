from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('watching', '0006_follow_new_names'),
    ]

    operations = [
        migrations.CreateModel(
            name='EndedWatch',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('person', models.CharField(db_index=True, max_length=150)),
                ('account', models.BigIntegerField(null=True)),
                ('target', models.CharField(max_length=2000)),
                ('created', models.DateTimeField()),
                ('ended', models.DateTimeField(db_index=True)),
                ('news_json', models.TextField()),
            ],
        ),
    ]
