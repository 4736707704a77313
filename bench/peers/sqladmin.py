"""SQLAdmin's list over the tags."""

from sqladmin import Admin, ModelView
from sqladmin.filters import AllUniqueStringValuesFilter
from sqlalchemy import create_engine
from starlette.applications import Starlette

from bench.peers.tags_table import Tag


class TagAdmin(ModelView, model=Tag):  # type: ignore[call-arg]
    column_list = (Tag.name, Tag.group_id, Tag.series_count, Tag.popularity, Tag.created, Tag.notes)
    column_filters = (AllUniqueStringValuesFilter(Tag.group_id),)
    column_searchable_list = (Tag.name,)
    column_sortable_list = (Tag.name, Tag.series_count)
    column_default_sort = (Tag.series_count, True)
    page_size = 50
    # A page that only reads needs no controls that write.
    can_create = can_edit = can_delete = can_view_details = can_export = False


application = Starlette()
Admin(application, create_engine("sqlite:///tags.sqlite3")).add_view(TagAdmin)
