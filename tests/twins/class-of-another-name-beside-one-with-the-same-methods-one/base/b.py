class Block:
    def __init__(self, number, weights):
        self.number = number
        self.attention = weights.attention(number)
        self.mlp = weights.mlp(number)

    def forward(self, hidden, start, end):
        hidden = self.attention(hidden, start, end)
        hidden = self.mlp(hidden)
        return hidden + self.number
