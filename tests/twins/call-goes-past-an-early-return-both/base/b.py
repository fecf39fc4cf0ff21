class AsyncServer:
    async def connect(self, peer):
        line = self.line_to(peer)
        await line.send(self.greeting)
        line.watch_pulse()
        answer = await self.ask("connect", peer)
        if not answer:
            del self.lines[peer]
            return self.refused(answer)
        self.lines[peer] = line
        return line.first_reply()
