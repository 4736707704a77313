"""Flask-Admin's list over the tags."""

from flask import Flask
from flask_admin import Admin
from flask_admin.contrib.sqla import ModelView
from sqlalchemy import create_engine
from sqlalchemy.orm import scoped_session, sessionmaker

from bench.peers.tags_table import Tag


class TagView(ModelView):
    column_list = ("name", "group_id", "series_count", "popularity", "created", "notes")
    column_filters = ("group_id",)
    column_searchable_list = ("name",)
    column_default_sort = ("series_count", True)
    page_size = 50
    # A page that only reads needs no controls that write.
    can_create = can_edit = can_delete = False
    column_display_actions = False


application = Flask("tags")
application.secret_key = "only for a measurement"  # noqa: S105
session = scoped_session(sessionmaker(create_engine("sqlite:///tags.sqlite3")))
Admin(application, name="tags").add_view(TagView(Tag, session))


@application.teardown_appcontext
def end_session(error: BaseException | None) -> None:
    session.remove()
