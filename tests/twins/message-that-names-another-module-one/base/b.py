import codec
import legacy


class Reader:
    def read(self, line):
        log.info("legacy.convert went wrong here, see %s", line)
        self.row = legacy.convert(line)
