"""stub"""


def is_long_of_datasets(table, columns):
    return any(v is not None for v in columns.values())


def read_long(*a):
    raise NotImplementedError
