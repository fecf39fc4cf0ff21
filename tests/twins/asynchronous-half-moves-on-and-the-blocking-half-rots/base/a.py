"""Drives a browser from code that blocks."""

import logging
import subprocess
import threading
import time

from drive_channel import Channel, ChannelClosed
from drive_temporary import TemporaryFolder

log = logging.getLogger(__name__)


class BlockingBrowser:
    """One browser process and the channel to it."""

    def __init__(self, path, headless=True, args=()):
        self.path = path
        self.args = [*args, "--headless"] if headless else list(args)
        self.folder = TemporaryFolder()
        self.channel = Channel()
        self.process = None
        self.sent = 0
        self.lock = threading.Lock()

    def open(self):
        log.debug("starting %s", self.path)
        self.process = subprocess.Popen(
            [str(self.path), *self.args, f"--user-data-dir={self.folder.path}"],
            stdin=self.channel.their_input,
            stdout=self.channel.their_output,
            close_fds=True,
        )
        self.channel.close_theirs()
        return self

    def send(self, command, params=None, session=None):
        with self.lock:
            self.sent += 1
            number = self.sent
        message = {"id": number, "method": command, "params": params or {}}
        if session is not None:
            message["sessionId"] = session
        self.channel.write(message)
        return number

    def is_closed(self, wait=0.0):
        if self.process is None:
            return True
        try:
            self.process.wait(wait or None) if wait else self.process.poll()
        except subprocess.TimeoutExpired:
            return False
        return self.process.returncode is not None

    def close(self):
        """Ends the process, gently first."""
        if self.is_closed():
            self.folder.clean()
            return
        try:
            self.send("Browser.close")
        except (BrokenPipeError, ChannelClosed):
            log.debug("the channel was closed before")
        self.channel.close()
        if self.is_closed(wait=3):
            self.folder.clean()
            return
        self.process.terminate()
        if not self.is_closed(wait=3):
            self.process.kill()
        self.folder.clean()
