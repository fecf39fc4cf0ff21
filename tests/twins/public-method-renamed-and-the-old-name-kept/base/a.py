class Shelf:
    def titles(self, prefix=""):
        found = []
        for book in sorted(self.books):
            if book.startswith(prefix):
                found.append(book)
        return found

    def borrow(self, title, reader):
        if title not in self.books:
            raise KeyError(title)
        self.books.remove(title)
        return self.note(title, reader)
