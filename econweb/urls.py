"""The URL configuration: pages, admin, embedded service, and error handlers."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from econweb.accounts.views import own_sessions
from econweb.dashboard import sign_in
from econweb.dashboard.urls import urlpatterns as pages

urlpatterns = [
    # `include` would cost each request another lookup.
    *pages,
    path("admin/login/", sign_in.sign_in),
    path("admin/password_change/", admin.site.admin_view(sign_in.change_password, cacheable=True)),
    path("admin/sessions/", admin.site.admin_view(own_sessions), name="own_sessions"),
    path("admin/", admin.site.urls),
    path(settings.CATALOGUE_PATH[1:], include("econweb.catalogue.urls")),
]
handler400 = "econweb.dashboard.problems.bad_request"
handler403 = "econweb.dashboard.problems.forbidden"
handler404 = "econweb.dashboard.problems.not_found"
handler500 = "econweb.dashboard.problems.server_error"
