"""The URL configuration: pages, admin, embedded service, and error handlers."""

from django.contrib import admin
from django.urls import include, path

from econweb.accounts.views import own_sessions
from econweb.dashboard.account import views as account
from econweb.dashboard.urls import urlpatterns as pages

urlpatterns = [
    # `include` would cost each request another lookup.
    *pages,
    path("admin/login/", account.sign_in),
    path("admin/password_change/", admin.site.admin_view(account.change_password, cacheable=True)),
    path("admin/sessions/", admin.site.admin_view(own_sessions), name="own_sessions"),
    path("admin/", admin.site.urls),
    path("econ/", include("econweb.catalogue.urls")),
]
handler400 = "econweb.dashboard.problems.bad_request"
handler403 = "econweb.dashboard.problems.forbidden"
handler404 = "econweb.dashboard.problems.not_found"
handler500 = "econweb.dashboard.problems.server_error"
