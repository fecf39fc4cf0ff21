"""The boundary inside a check: where one file or one function fails, that is told, and the rest is judged."""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from consistency_bot.errors import BotError

T = TypeVar("T")

TOO_DEEP = "nested too deeply to be read"


class Failure(msgspec.Struct, frozen=True):
    """Why nothing came of an attempt. `where` is the line of this program that failed, "" where that is no matter."""

    reason: str
    where: str = ""


class GivenUp(Exception):
    """Something was left half way on purpose; the message says why."""


def attempt(step: Callable[[], T]) -> T | Failure:
    """What `step` gives, or why it fails. Errors that a user can act on are raised as ever."""
    try:
        return step()
    except BotError:
        raise
    except GivenUp as error:
        return Failure(str(error))
    except RecursionError:
        return Failure(TOO_DEEP)
    # An internal error while one function is judged becomes `unknown` for that function.
    # What an error in unforeseen code will be nobody can list, and code under check is made by anybody.
    except Exception as error:  # noqa: BLE001
        return Failure(f"an internal error of consistency-bot ({type(error).__name__})", _place_of(error))


def _place_of(error: Exception) -> str:
    """The innermost line of this program in the error's traceback, as `judge/marks.py:66`."""
    folder = __file__.removesuffix("attempts.py")
    place, traceback = "", error.__traceback__
    while traceback is not None:
        path = traceback.tb_frame.f_code.co_filename
        if path.startswith(folder):
            place = f"{path.removeprefix(folder)}:{traceback.tb_lineno}"
        traceback = traceback.tb_next
    return place
