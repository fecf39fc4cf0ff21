class Block:
    def __init__(self, number, weights):
        self.number = number
        self.attention = weights.attention(number)
        self.mlp = weights.mlp(number)

    def forward(self, hidden, span):
        hidden = self.attention(hidden, span)
        hidden = self.mlp(hidden)
        return hidden + self.number
