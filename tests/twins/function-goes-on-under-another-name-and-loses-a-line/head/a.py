class Line:
    def ask_single(self, text, *args):
        inner = self.inner
        if inner.taken_by:
            raise Taken(inner.taken_by)
        answer = self.protocol.run(text=text, args=args, one=True)
        self.log.info("asked")
        return answer[0]

    def ask_one(self, text, *args):
        self.warn("ask with `ask_single`")
        return self.ask_single(text, *args)

    def fetch_one(self, text, *args):
        self.warn("ask with `ask_single`")
        return self.ask_single(text, *args)
