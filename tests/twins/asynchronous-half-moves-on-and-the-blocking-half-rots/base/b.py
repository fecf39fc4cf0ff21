"""Drives a browser from an event loop."""

import asyncio
import logging

from drive_channel import Channel, ChannelClosed
from drive_temporary import TemporaryFolder

log = logging.getLogger(__name__)


class Browser:
    """One browser process and the channel to it."""

    def __init__(self, path, headless=True, args=()):
        self.path = path
        self.args = [*args, "--headless"] if headless else list(args)
        self.folder = TemporaryFolder()
        self.channel = Channel()
        self.process = None
        self.sent = 0
        self.waiting = {}

    async def open(self):
        log.debug("starting %s", self.path)
        self.process = await asyncio.create_subprocess_exec(
            str(self.path),
            *self.args,
            f"--user-data-dir={self.folder.path}",
            stdin=self.channel.their_input,
            stdout=self.channel.their_output,
            close_fds=True,
        )
        self.channel.close_theirs()
        self.reader = asyncio.create_task(self.read())
        return self

    async def read(self):
        while True:
            try:
                message = await asyncio.to_thread(self.channel.read)
            except ChannelClosed:
                return
            future = self.waiting.pop(message.get("id"), None)
            if future is not None:
                future.set_result(message)

    async def send(self, command, params=None, session=None):
        self.sent += 1
        number = self.sent
        message = {"id": number, "method": command, "params": params or {}}
        if session is not None:
            message["sessionId"] = session
        self.waiting[number] = asyncio.get_running_loop().create_future()
        await asyncio.to_thread(self.channel.write, message)
        return await self.waiting[number]

    async def is_closed(self, wait=0.0):
        if self.process is None:
            return True
        try:
            if wait:
                await asyncio.wait_for(self.process.wait(), wait)
        except asyncio.TimeoutError:
            return False
        return self.process.returncode is not None

    async def close(self):
        """Ends the process, gently first."""
        if await self.is_closed():
            self.folder.clean()
            return
        try:
            await self.send("Browser.close")
        except (BrokenPipeError, ChannelClosed):
            log.debug("the channel was closed before")
        self.channel.close()
        if await self.is_closed(wait=3):
            self.folder.clean()
            return
        self.process.terminate()
        if not await self.is_closed(wait=3):
            self.process.kill()
        self.folder.clean()
