"""How an emitter says that it does not support a scenario."""


class Unsupported(Exception):
    """The scenario asks for something that this emitter does not do. The message is the reason, in one line."""
