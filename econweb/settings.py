"""The settings, read from the environment; docs/settings.md and .env.example describe them."""

import hashlib

from econweb.accounts.client_address import is_loopback
from econweb.config import (
    cache_config,
    database_config,
    environment,
    log_config,
    mail_config,
    oidc_config,
    proxy_config,
    service_config,
    site_config,
    system_checks,
)
from econweb.config.paths import BASE_DIR, PACKAGE_DIR, WORKING_DIR, read_version
from econweb.config.secret_key import read_or_create_secret_key

VERSION = read_version()
environment.read_dot_env(WORKING_DIR / ".env")

# The folder for everything that this installation writes.
DATA_DIR = environment.folder("DATA_DIR", WORKING_DIR / "var")
DEBUG = environment.boolean("DEBUG", default=False)
SECRET_KEY = environment.secret("SECRET_KEY") or read_or_create_secret_key(DATA_DIR / "secret_key")

# --- The service -----------------------------------------------------------------------------------------
ECON_BASE_URL = service_config.base_url("ECON_BASE_URL")
ECON_SERVICE_PATH = environment.path_segment("ECON_SERVICE_PATH", "econ")
ECON_API_KEY = service_config.api_key("ECON_API_KEY")
ECON_FILE_TYPE = environment.choice("ECON_FILE_TYPE", ["json", "xml"])
ECON_TIMEOUT = environment.seconds("ECON_TIMEOUT", 10, lowest=0.1, highest=120)
# An answer is fresh for FRESH seconds, and may be shown as stale for STALE seconds while the service fails.
ECON_FRESH_SECONDS = environment.seconds("ECON_FRESH_SECONDS", 600, lowest=0, highest=604_800)
ECON_STALE_SECONDS = environment.seconds("ECON_STALE_SECONDS", 86400, lowest=0, highest=7_776_000)
service_config.check_times(ECON_FRESH_SECONDS, ECON_STALE_SECONDS)
ECON_REQUESTS_PER_MINUTE = environment.integer("ECON_REQUESTS_PER_MINUTE", 120, lowest=1, highest=100_000)
# The part of these requests for the index of tags and the looks at watched sources; 0: none.
ECON_BACKGROUND_SHARE = environment.share("ECON_BACKGROUND_SHARE", 0.1, highest=0.5)
# Whether the name in ECON_BASE_URL may resolve to an address inside this network.
ECON_PRIVATE_ADDRESSES = environment.boolean("ECON_PRIVATE_ADDRESSES", default=False)
# The proxy on the way to the service, and authorities of the institute beside the public ones.
ECON_PROXY = service_config.proxy("ECON_PROXY", ECON_BASE_URL)
ECON_CA_FILE = service_config.certificates("ECON_CA_FILE")
# Well-known ids, with which misspelt ones are compared.
SAMPLE_SERIES = PACKAGE_DIR / "catalogue" / "sample" / "series.csv"
# The publisher in citations; unset: the host of the provider's pages, or else of the service.
ECON_PROVIDER = environment.matching(
    "ECON_PROVIDER", r"[^\x00-\x1f\x7f<>]{1,100}", "is not a name of 1 to 100 characters without < and >", "'A Bank'"
)
# The provider's own pages, which show the data that a series describes.
ECON_WEBSITE = service_config.website("ECON_WEBSITE", "{series_id}")
ECON_WEBSITE_CATEGORY = service_config.website("ECON_WEBSITE_CATEGORY", "{category_id}")
ECON_WEBSITE_RELEASE = service_config.website("ECON_WEBSITE_RELEASE", "{release_id}")

# Whether what the service sends may outlive the caches.
ECON_MAY_STORE = environment.boolean("ECON_MAY_STORE", default=not ECON_BASE_URL)
# On every page, with a sentence and a link for the footer.
SERVICE_NOTICE = site_config.notice("SERVICE_NOTICE")
SITE = site_config.site("SITE_NAME", "SITE_LOGO", "IMPRINT_URL", "PRIVACY_URL", "CONTACT")

# The embedded catalogue always knows this key, which the dashboard uses when no other service is named.
# Hosts with the same SECRET_KEY derive the same key.
CATALOGUE_OWN_KEY = hashlib.blake2b(SECRET_KEY.encode(), digest_size=16, person=b"catalogue key").hexdigest()
CATALOGUE_PATH = "/econ/"  # the root of its paths
CATALOGUE_EDITION = "econweb.search_index.titles.sample.current_edition"  # what knows which one is loaded
# Seconds between two checks for changes by other processes to the catalogue, its keys or the labels.
CATALOGUE_RECHECK_SECONDS = LABELS_RECHECK_SECONDS = 1.0
if ECON_BASE_URL and not ECON_API_KEY:
    raise environment.BadSetting("ECON_API_KEY", "is needed when ECON_BASE_URL is set", "<API_KEY>")

# --- Hosts, HTTPS and cookies ----------------------------------------------------------------------------
ALLOWED_HOSTS = environment.names(
    "ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]", rf"\.?{environment.HOST}|\[[0-9a-f:]+\]", "portal.example.org"
)
FRAME_ANCESTORS = environment.names(
    "FRAME_ANCESTORS",
    "",
    r"https?://(\*\.)?[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*(:([0-9]{1,5}|\*))?",
    "https://wiki.example.org",
)
BEHIND_PROXY = environment.boolean("BEHIND_PROXY", default=False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
is_on_loopback = all(is_loopback(host) for host in ALLOWED_HOSTS)
SECURE_HSTS_SECONDS = 0 if is_on_loopback else 365 * 24 * 3600
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = not is_on_loopback
SESSION_ENGINE = "econweb.accounts.sessions"  # decides when a session ends
# Only these paths set cookies. All other pages are the same bytes for everybody, editors included.
PERSONAL_PATHS = ("/me/", "/sign-in/", "/changes/", "/admin/")
# Browsers accept `__Host-` cookies over HTTPS only, and from no other host of the domain.
cookie_prefix = "" if is_on_loopback else "__Host-"
SESSION_COOKIE_NAME = f"{cookie_prefix}econweb_session"
CSRF_COOKIE_NAME = f"{cookie_prefix}econweb_csrf"
# The sign-ins at an OpenID provider that a browser has begun.
FLOW_COOKIE_NAME = f"{cookie_prefix}econweb_sign_in"
# Tells a browser that signed in with a password from those of strangers, who cannot lock it out.
BROWSER_COOKIE_NAME = f"{cookie_prefix}econweb_browser"

# --- People ----------------------------------------------------------------------------------------------
is_local = is_on_loopback and not BEHIND_PROXY
ways = ["local", "password", "proxy", "oidc"] if is_local else ["password", "local", "proxy", "oidc"]
SIGN_IN = environment.choice("SIGN_IN", ways)
proxy_config.check_local(SIGN_IN, is_local)
# The OpenID provider at which people sign in, and what this site asks it for.
OIDC_ISSUER = oidc_config.issuer("OIDC_ISSUER")
OIDC_CLIENT_ID = environment.matching("OIDC_CLIENT_ID", "[!-~]{1,200}", "is not the name of a client", "econweb")
OIDC_CLIENT_SECRET = environment.matching(
    "OIDC_CLIENT_SECRET", "[!-~]{16,500}", "is not a secret of 16 to 500 characters", "<SECRET>"
)
OIDC_SCOPES = oidc_config.scopes("OIDC_SCOPES")
OIDC_GROUPS_CLAIM = environment.matching("OIDC_GROUPS_CLAIM", "[!-~]{1,200}", "is not a claim", "groups", "groups")
oidc_config.check_oidc(SIGN_IN, OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET)
# Sessions that began in another way end when SIGN_IN changes.
by_provider, by_password = "econweb.accounts.oidc.person.ProviderBackend", "django.contrib.auth.backends.ModelBackend"
AUTHENTICATION_BACKENDS = [by_provider if SIGN_IN == "oidc" else by_password]
# With SIGN_IN=proxy, only these addresses may send the headers that name a person.
PROXY_ADDRESSES = proxy_config.networks("PROXY_ADDRESSES")
PROXY_USER_HEADER = proxy_config.header("PROXY_USER_HEADER", "EconwebUser")
PROXY_GROUPS_HEADER = proxy_config.header("PROXY_GROUPS_HEADER", "EconwebGroups")
proxy_config.check_proxy(SIGN_IN, BEHIND_PROXY, PROXY_ADDRESSES, PROXY_USER_HEADER, PROXY_GROUPS_HEADER)
# Whether people who are not signed in read the pages.
READ = environment.choice("READ", ["anyone", "signed-in"])
# Whether assistants read at /mcp what people read on pages.
MCP = environment.choice("MCP", ["on", "off"]) == "on"
LOGIN_URL = "sign_in"
# Accounts that are editors or admins, by name or mail address, beside those that `manage.py role` names.
account = r"[^,\s]{1,150}"
EDITOR_NAMES = environment.names("EDITORS", "", account, "ada,grace@example.org")
ADMIN_NAMES = environment.names("ADMINS", "", account, "ada,grace@example.org")
EDITOR_GROUPS = environment.names("EDITOR_GROUPS", "", r"[^,]{1,150}", "librarians,data-desk")
ADMIN_GROUPS = environment.names("ADMIN_GROUPS", "", r"[^,]{1,150}", "librarians,data-desk")
# An invitation to choose a password is valid for a week. The server mails it; without one the command prints it.
PASSWORD_RESET_TIMEOUT = 7 * 86400
MAIL_SERVER = mail_config.mail_server("EMAIL_URL")
WATCH = environment.choice("WATCH", ["serve", "external", "off"])
# Days for which the record of changes is kept.
CHANGES_DAYS = environment.integer("CHANGES_DAYS", 400, lowest=1, highest=36_500)
# Megabytes of all frozen copies together.
LIBRARY_MAX_MB = environment.integer("LIBRARY_MAX_MB", 1000, lowest=0, highest=1_000_000)

# A form is held in memory while it comes in. This is for editors who upload many names; all others get 64 KiB.
DATA_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
SILENCED_SYSTEM_CHECKS = system_checks.SILENCED

# --- What runs -------------------------------------------------------------------------------------------
INSTALLED_APPS = [
    # Before the admin, because it overrides the admin's templates.
    "econweb.label_book",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django_htmx",
    "econweb",
    "econweb.accounts",
    "econweb.catalogue",
    "econweb.dashboard",
    "econweb.library",
    "econweb.watching",
    "econweb.search_index",
]
MIDDLEWARE = [
    "econweb.serving.request_log.log_requests",
    "econweb.serving.headers.add_security_headers",
    "econweb.serving.headers.add_cache_headers",
    "econweb.serving.compression.compress_responses",
    "django.middleware.security.SecurityMiddleware",
    "econweb.serving.headers.shorten_heads",
    "econweb.serving.refusals.reject_malformed_requests",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # After the static files, which its page needs.
    "econweb.serving.sign_in.refuse_forged_headers",
    # Before Django looks at the host name.
    "econweb.serving.monitoring.health.answer_health_checks",
    "django.middleware.common.CommonMiddleware",
    "econweb.serving.refusals.limit_form_uploads",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "econweb.serving.refusals.strip_api_keys",
    # After it: the address goes into the link to sign in.
    "econweb.serving.sign_in.require_sign_in",
    "econweb.serving.sign_in.run_personal_middleware",
    "econweb.serving.refusals.DatabaseErrors",
]
CSRF_FAILURE_VIEW = "econweb.dashboard.error_pages.error_handlers.forbidden"
# In a cookie, messages would make a response head longer than a proxy takes.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
ROOT_URLCONF = "econweb.urls"
WSGI_APPLICATION = "econweb.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {"environment": "econweb.dashboard.rendering.jinja.build_environment"},
    },
    {
        # For the admin only; `DIRS` gives it the favicon.
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    },
]

# A password is long, and not one that others guess first.
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {"NAME": "econweb.accounts.site_words.SiteWordsValidator"},
]

DATABASES = {"default": database_config.database("DATABASE_URL", DATA_DIR / "econweb.sqlite3")}
CACHE_URL = cache_config.redis_url("CACHE_URL")
CACHES = {"default": cache_config.build_cache_config(CACHE_URL, ECON_CA_FILE)}
RESPONSE_CACHE = environment.boolean("RESPONSE_CACHE", default=True)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
USE_I18N = False
TIME_ZONE = environment.time_zone("TIME_ZONE")

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
# startup/bundles.py writes its files to the second folder.
STATICFILES_DIRS = [BASE_DIR / "static", DATA_DIR / "made"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True

LOG_FORMAT = environment.choice("LOG_FORMAT", ["text", "json"])
DEFAULT_EXCEPTION_REPORTER = "econweb.serving.error_reporter.RedactedReporter"
passwords = environment.passwords("ECON_PROXY", "CACHE_URL", "DATABASE_URL", "EMAIL_URL")
LOGGING = log_config.build_log_config(
    LOG_FORMAT, [SECRET_KEY, ECON_API_KEY, OIDC_CLIENT_SECRET, CATALOGUE_OWN_KEY, *passwords]
)
