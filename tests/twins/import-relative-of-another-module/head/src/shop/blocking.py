from .taxes import rounded


class Till:
    def close(self, amounts):
        total = sum(rounded(each) for each in amounts)
        return self.book(total, currency=self.currency)
