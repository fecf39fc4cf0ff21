class Server:
    def connect(self, peer):
        line = self.line_to(peer)
        line.send(self.greeting)
        answer = self.ask("connect", peer)
        if not answer:
            del self.lines[peer]
            return self.refused(answer)
        line.watch_pulse()
        self.lines[peer] = line
        return line.first_reply()
