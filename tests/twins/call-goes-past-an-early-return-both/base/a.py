class Server:
    def connect(self, peer):
        line = self.line_to(peer)
        line.send(self.greeting)
        line.watch_pulse()
        answer = self.ask("connect", peer)
        if not answer:
            del self.lines[peer]
            return self.refused(answer)
        self.lines[peer] = line
        return line.first_reply()
