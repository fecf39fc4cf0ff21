class AsyncLine:
    async def send(self, message, text=None):
        await self.queue.put((message, text))

    async def cast(self, message, *lines, text=None, loud: bool = False, **rest):
        for line in lines:
            await line.send(message, text)
