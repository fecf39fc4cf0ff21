class Parser:
    def __iter__(self):
        for part in self.stream:
            if part.size > self.most:
                raise PartError(description="a part is larger than allowed")
            if self.stream.peek(2) == b"--":
                break
            self.stream.read_until(b"\r\n", 0)
            yield part
            if self.stream.ends_early:
                raise PartError(description="the form ends in the midst")
