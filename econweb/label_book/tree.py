"""The tree that categories form: its rules, and its branches in memory."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from econweb.label_book.models import Label

Parents = Mapping[int, int | None]
# The category that all others are part of, where it has a name.
ROOT = 0


def stored_parents() -> dict[int, int | None]:
    """Return the parent of each category in the label book, or None at the top."""
    return dict(Label.objects.filter(kind="category").values_list("number", "parent"))


def find_circles(parents: Parents) -> set[int]:
    """Return the categories that are part of themselves."""
    checked, found = set[int](), set[int]()
    for start in parents:
        path = dict[int, None]()
        number: int | None = start
        while number is not None and number not in checked and number not in path:
            path[number] = None
            number = parents.get(number)
        if number is not None and number in path:
            steps = [*path]
            found.update(steps[steps.index(number) :])
        checked.update(path)
    return found


def problem_with_parent(label: Label, parents: Parents, circles: Collection[int]) -> str:
    """Return what is wrong with the parent of a label, given all categories; empty when nothing is."""
    if label.parent is None:
        return ""
    if label.kind != "category":
        return "only a category has a parent."
    if label.parent not in parents:
        return f"category {label.parent} has no name yet."
    return f"category {label.parent} is itself part of category {label.number}." if label.number in circles else ""


def problem_in_stored_tree(label: Label) -> str:
    """Return what is wrong with the parent of a label among those that are stored; empty when nothing is."""
    parents = stored_parents() | ({label.number: label.parent} if label.kind == "category" else {})
    return problem_with_parent(label, parents, find_circles(parents))


def problem_with_new_parent(label: Label, parent: int | None) -> str:
    """Return in a sentence what is wrong with the parent of a label whose parent was another; empty when nothing is.

    An editor of the name alone keeps the parent, which may have been deleted.
    """
    problem = "" if label.parent in {None, parent} else problem_in_stored_tree(label)
    return problem[:1].upper() + problem[1:]


@dataclass(frozen=True)
class CategoryTree:
    """All categories by parent, each list from A to Z; those without a named parent are in the root, or at the top."""

    top: Sequence[Label] = ()
    _parents: Mapping[int, Label] = field(default_factory=dict)
    _children: Mapping[int, Sequence[Label]] = field(default_factory=dict)
    _counts: Mapping[int, int] = field(default_factory=dict)

    def children(self, number: int) -> Sequence[Label]:
        return self._children.get(number, ())

    def lone_root(self) -> Label | None:
        """Return the category that all others are part of, if there is one."""
        return self.top[0] if len(self.top) == 1 and self.children(self.top[0].number) else None

    def count_below(self, number: int) -> int:
        """Return the number of categories in a category, at any depth."""
        return self._counts.get(number, 0)

    def path(self, number: int) -> list[Label]:
        """Return the categories that a category is part of, from the top."""
        path: list[Label] = []
        while parent := self._parents.get(number):
            path.append(parent)
            number = parent.number
        return path[::-1]


def build_tree(labels: Iterable[Label]) -> CategoryTree:
    """Build the tree in one pass over the categories, each of which may come in any order."""
    by_number = {label.number: label for label in labels if label.kind == "category"}
    # Earlier versions let two editors at once store a circle, which is cut open.
    circles = find_circles({label.number: label.parent for label in by_number.values()})
    children: defaultdict[int, list[Label]] = defaultdict(list)
    parents, top = dict[int, Label](), list[Label]()
    for label in sorted(by_number.values(), key=lambda label: (label.words, label.number)):
        parent = by_number.get(label.parent) if label.parent is not None and label.number not in circles else None
        parent = parent or by_number.get(ROOT)
        if parent and label.number != ROOT:
            parents[label.number] = parent
            children[parent.number].append(label)
        else:
            top.append(label)
    return CategoryTree(top, parents, children, _count_below(top, children))


def _count_below(top: Iterable[Label], children: Mapping[int, Sequence[Label]]) -> dict[int, int]:
    from_the_top = list(top)
    # The list grows while it is read: a deep tree would exhaust the stack.
    for label in from_the_top:
        from_the_top.extend(children.get(label.number, ()))
    counts = dict[int, int]()
    for label in reversed(from_the_top):
        below = children.get(label.number, ())
        counts[label.number] = len(below) + sum(counts[child.number] for child in below)
    return counts
