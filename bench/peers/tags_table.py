"""The table of tags, for the peers that read it through SQLAlchemy."""

from sqlalchemy import Integer, Text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


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
