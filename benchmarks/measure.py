"""Runs a command a number of times and prints what each run took: `python -I -S measure.py RUNS OUTPUT COMMAND…`.

One line per run: CPU seconds, user and system, of the process with the children that it waited for; peak memory in KiB
of the largest of them; exit status. The command's standard output goes to the file OUTPUT.

It is a program of its own because Linux counts the memory of a process from before its `exec`: a child seems at least
as large as whoever starts it, so whoever starts it has to be no larger than a bare Python.
"""

import os
import sys

WARM_UPS = 2  # for bytecode and the disk's cache


def main() -> None:
    """Measure the command of the command line."""
    runs, output, command = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    target = os.open(output, os.O_WRONLY | os.O_CREAT, 0o600)
    for run in range(-WARM_UPS, runs):
        os.ftruncate(target, 0)
        os.lseek(target, 0, os.SEEK_SET)
        child = os.posix_spawnp(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, target, 1)])
        _, status, used = os.wait4(child, 0)
        if run >= 0:
            print(used.ru_utime + used.ru_stime, used.ru_maxrss, os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    main()
