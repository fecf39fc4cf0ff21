class Line:
    def send(self, message, *, text=None):
        self.queue.put((message, text))

    def cast(self, message, *lines, text=None, loud: bool = False, **rest):
        for line in lines:
            line.send(message, text)
