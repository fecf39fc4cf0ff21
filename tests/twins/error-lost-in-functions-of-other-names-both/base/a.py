class Parser:
    def __iter__(self):
        for part in self.stream:
            if part.size > self.most:
                raise PartError(description="a part is larger than allowed")
            mark = self.stream.read_until(b"\r\n", 2)
            if mark == b"--":
                break
            elif mark:
                raise PartError(description="no delimiter where one is due")
            yield part
            if self.stream.ends_early:
                raise PartError(description="the form ends in the midst")
