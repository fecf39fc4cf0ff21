class Mailer:
    def send(self, letter, post):
        lacks_proxy = letter.proxy is None or len(letter.proxy.strip()) == 0
        if lacks_proxy:
            letter.proxy = self.find_proxy()
        is_too_heavy = letter.weight > self.limit and not letter.is_urgent
        if is_too_heavy:
            raise ValueError("too heavy")
        return post.deliver(letter, by=letter.proxy)
