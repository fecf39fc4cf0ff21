class Line:
    def ask_one(self, text, *args):
        inner = self.inner
        if inner.taken_by:
            raise Taken(inner.taken_by)
        answer = self.protocol.run(text=text, args=args, one=True)
        self.log.info("asked")
        inner.asked += 1
        return answer[0]

    def fetch_one(self, text, *args):
        self.warn("ask with `ask_one`")
        return self.ask_one(text, *args)
