"""Show it live: every campaign below a folder as pages and as an HTTP API, whoever runs it.

================= ====================================================================================================
Catalogue         the campaigns below a folder, by an id that is safe in an address; nothing leads out of it
CampaignWatch     what becomes of them: told to whoever listens, as soon as a row is committed
Jobs              campaigns and other commands that the server was asked to begin, each a process of its own
Parts             these together: what every way in asks, and begins
make_app          all of it as an ASGI application; ``serve`` runs that until Ctrl-C
make_agent_server all of it as tools of an agent, by the Model Context Protocol, within AgentLimits
================= ====================================================================================================

The server computes nothing of its own: it renders the Summary, the tables and the pictures that the command line and
the report render, and begins what the command line begins. Needs the extra ``serve``, or ``mcp``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from stressfield._lazy import lazy_names

if TYPE_CHECKING:
    from stressfield.serve.agent_tools import AgentLimits, make_agent_server
    from stressfield.serve.app import Served, make_app, serve
    from stressfield.serve.catalogue import CampaignEntry, Catalogue
    from stressfield.serve.jobs import Job, Jobs
    from stressfield.serve.parts import Parts
    from stressfield.serve.watch import CampaignWatch

__all__ = [
    "AgentLimits",
    "CampaignEntry",
    "CampaignWatch",
    "Catalogue",
    "Job",
    "Jobs",
    "Parts",
    "Served",
    "make_agent_server",
    "make_app",
    "serve",
]

lazy_names(__name__)
