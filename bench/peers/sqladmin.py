"""SQLAdmin's list over the tags."""

from sqladmin import Admin, ModelView
from sqladmin.filters import AllUniqueStringValuesFilter
from sqlalchemy import Integer, Text, create_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from starlette.applications import Starlette


class Base(DeclarativeBase):
    pass


class Tag(Base):
    """The table as it is."""

    __tablename__ = "tags"
    name: Mapped[str] = mapped_column(Text, primary_key=True)
    group_id: Mapped[str] = mapped_column(Text)
    notes: Mapped[str] = mapped_column(Text)
    created: Mapped[str] = mapped_column(Text)
    popularity: Mapped[int] = mapped_column(Integer)
    series_count: Mapped[int] = mapped_column(Integer)


class TagAdmin(ModelView, model=Tag):  # type: ignore[call-arg]
    column_list = (Tag.name, Tag.group_id, Tag.series_count, Tag.popularity, Tag.created, Tag.notes)
    column_filters = (AllUniqueStringValuesFilter(Tag.group_id),)
    column_searchable_list = (Tag.name,)
    column_sortable_list = (Tag.name, Tag.series_count)
    column_default_sort = (Tag.series_count, True)
    page_size = 50
    # What only reads is spared the controls that write.
    can_create = can_edit = can_delete = can_view_details = can_export = False


application = Starlette()
Admin(application, create_engine("sqlite:///tags.sqlite3")).add_view(TagAdmin)
