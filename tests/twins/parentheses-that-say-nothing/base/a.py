"""Averages of a run, kept in memory."""


def share_of(loss, steps, workers):
    check(steps)
    return loss / (steps * workers)


def is_due(step, every, is_last, is_enabled):
    due = (step % every == 0 or is_last) and is_enabled
    note(due)
    return due
