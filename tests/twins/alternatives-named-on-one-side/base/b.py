class AsyncMailer:
    async def send(self, letter, post):
        if letter.proxy is None or len(letter.proxy.strip()) == 0:
            letter.proxy = self.find_proxy()
        if letter.weight > self.limit and not letter.is_urgent:
            raise ValueError("too heavy")
        return await post.deliver(letter, by=letter.proxy)
