"""The URL configuration: pages, admin, embedded service, and error handlers."""

from django.conf import settings
from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from econweb.dashboard.urls import urlpatterns as pages

urlpatterns = [
    # `include` would cost each request another lookup.
    *pages,
    # Passwords are checked in one place.
    path("admin/login/", RedirectView.as_view(pattern_name="sign_in", query_string=True)),
    path("admin/logout/", RedirectView.as_view(pattern_name="me")),
    path("admin/password_change/", RedirectView.as_view(pattern_name="password")),
    path("admin/sessions/", RedirectView.as_view(pattern_name="me")),
    path("admin/", admin.site.urls),
    path(settings.CATALOGUE_PATH[1:], include("econweb.catalogue.urls")),
]
handler400 = "econweb.dashboard.error_pages.error_handlers.bad_request"
handler403 = "econweb.dashboard.error_pages.error_handlers.forbidden"
handler404 = "econweb.dashboard.error_pages.error_handlers.not_found"
handler500 = "econweb.dashboard.error_pages.error_handlers.server_error"
