"""Properties that are made when somebody asks for them, and kept."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class Kept(Generic[T]):
    """What `functools.cached_property` does, which takes a lock in Python 3.11 and costs five times as much the first time."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make
        self._name = make.__name__
        self.__doc__ = make.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "Kept[T]": ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object, owner: type) -> "T | Kept[T]":
        if instance is None:
            return self
        made = instance.__dict__[self._name] = self._make(instance)
        return made


def kept(make: Callable[[Any], T]) -> Kept[T]:
    """A property whose value is made once for each instance, which needs a `__dict__`."""
    return Kept(make)
