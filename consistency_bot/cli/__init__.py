"""The command line: the only place that prints, and that decides how the process ends.

Nothing is imported before it is needed: a check runs before every commit and is over in a tenth of a second.
"""

import sys

from consistency_bot import __version__

__all__ = ["main"]

PROGRAM = "consistency-bot"
EXIT_USAGE = 2
EXIT_BUG = 70
EXIT_INTERRUPTED = 130


def main(argv: list[str] | None = None) -> int:
    """Run one command; what comes back is the exit status: 0 nothing blocks, 1 something does, others in `options`."""
    arguments = sys.argv[1:] if argv is None else argv
    if arguments == ["--version"]:
        from consistency_bot.cli.streams import told_to_the_end

        return told_to_the_end(_version)
    try:
        return _run(arguments)
    except KeyboardInterrupt:
        from consistency_bot.cli.streams import say

        say("interrupted")
        return EXIT_INTERRUPTED
    except Exception as error:  # the one place that may: here every error becomes an exit status
        return _status_of(error, arguments)


def _version() -> int:
    print(f"{PROGRAM} {__version__}")
    return 0


def _run(arguments: list[str]) -> int:
    from consistency_bot.cli.options import parse

    try:
        options = parse(arguments)
    except SystemExit as ending:  # argparse has printed why, or the help
        from consistency_bot.cli.streams import told_to_the_end

        status = ending.code if isinstance(ending.code, int) else EXIT_USAGE
        return told_to_the_end(lambda: status)
    if options.command == "demo":
        from consistency_bot.cli.streams import told_to_the_end
        from consistency_bot.demo import run_demo

        return told_to_the_end(run_demo)
    if options.command == "port":
        from consistency_bot.cli.port import run_port

        return run_port(options)
    if options.command == "github":
        from consistency_bot.cli.github import run_github

        return run_github(options)
    if options.command == "patches":
        from consistency_bot.cli.patches import run_patches

        return run_patches(options)
    if options.command == "rules":
        from consistency_bot.cli.rules import run_rules

        return run_rules(options)
    if options.command == "smoke":
        from consistency_bot.cli.smoke import run_smoke

        return run_smoke(options)
    if options.command == "explain":
        from consistency_bot.cli.streams import put_out
        from consistency_bot.explained import explain, list_words

        word = " ".join(options.words)  # reports print words of several parts: `needs review`
        put_out(f"{explain(word) if options.words else list_words()}\n", "text", None)
        return 0
    from consistency_bot.cli.check import run_check

    return run_check(options)


def _status_of(error: Exception, arguments: list[str]) -> int:
    """Tell what went wrong, and give the exit status for it."""
    from consistency_bot.cli.streams import complain, say
    from consistency_bot.errors import BotError

    if isinstance(error, BotError):
        say(str(error))
        return error.exit_code
    import platform
    import traceback

    complain("".join(traceback.format_exception(error)))
    say(
        "this is a bug of consistency-bot, not of your code. Please report the lines above together with\n"
        f"  {PROGRAM} {__version__}, Python {platform.python_version()}, {platform.system()}, arguments {arguments}"
    )
    return EXIT_BUG
