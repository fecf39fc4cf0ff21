"""Asks a master."""


class Watcher:
    """Judges the state of a master."""

    def is_usable(self, state):
        if not state["is_master"]:
            self.log.info("not usable: %s", state)
            return False
        elif state["is_down"]:
            self.log.info("not usable: %s", state)
            return False
        return state["peers"] > 0
