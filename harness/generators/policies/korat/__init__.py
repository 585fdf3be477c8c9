"""The generators that search states: korat, korat-plus, korat-dedicated and their variants."""
