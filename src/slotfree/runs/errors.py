"""What a user can put right: the message says how."""


class UserError(Exception):
    """Something about how a program was called, or where, does not fit.

    Attributes
    ----------
    exit_code : of the program.
    """

    exit_code = 2


class DirectoryError(UserError):
    """A directory cannot be used for results; the message says what would be right."""
