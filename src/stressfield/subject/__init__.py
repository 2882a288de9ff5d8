"""Who is tested: the Subject protocol and in-process nodes."""

from stressfield.subject.subject import NodesSubject, Subject

__all__ = ["NodesSubject", "Subject"]
