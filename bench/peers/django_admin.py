"""The change list of Django's admin over the tags, open to everybody, which spares it the session."""

from pathlib import Path
from typing import Any

from django.conf import settings

settings.configure(
    ALLOWED_HOSTS=["127.0.0.1"],
    ROOT_URLCONF=__name__,
    SECRET_KEY="only for a measurement",  # noqa: S106
    USE_I18N=False,
    STATIC_URL="static/",
    DATABASES={
        "default": {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": Path("tags.sqlite3").resolve(),
            "CONN_MAX_AGE": None,
        }
    },
    INSTALLED_APPS=[
        "django.contrib.admin",
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.messages",
        "django.contrib.sessions",
        "django.contrib.staticfiles",
    ],
    MIDDLEWARE=[
        "django.middleware.security.SecurityMiddleware",
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.middleware.common.CommonMiddleware",
        "django.middleware.csrf.CsrfViewMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware",
        "django.contrib.messages.middleware.MessageMiddleware",
    ],
    TEMPLATES=[
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ],
)

import django  # noqa: E402

django.setup()

from django.contrib import admin  # noqa: E402
from django.contrib.staticfiles.handlers import StaticFilesHandler  # noqa: E402
from django.core.wsgi import get_wsgi_application  # noqa: E402
from django.db import models  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.urls import path  # noqa: E402


class Tag(models.Model):
    """The table as it is."""

    name = models.TextField(primary_key=True)
    group_id = models.TextField()
    notes = models.TextField()
    created = models.TextField()
    popularity = models.IntegerField()
    series_count = models.IntegerField()

    class Meta:
        # Any app that is installed will do.
        app_label = "admin"
        db_table = "tags"
        managed = False


class TagAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ("name", "group_id", "series_count", "popularity", "created", "notes")
    list_filter = ("group_id",)
    list_per_page = 50
    ordering = ("-series_count",)
    search_fields = ("name",)
    show_facets = admin.ShowFacets.ALWAYS

    def has_module_permission(self, request: HttpRequest) -> bool:
        return True

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return True


class Site(admin.AdminSite):
    def has_permission(self, request: HttpRequest) -> bool:
        return True


def ready(request: HttpRequest) -> HttpResponse:
    return HttpResponse(b"ok")


site = Site()
site.register(Tag, TagAdmin)
urlpatterns = [path("healthz", ready), path("admin/", site.urls)]
application = StaticFilesHandler(get_wsgi_application())
