"""Campaigns and vectors as data frames of Spark: data sources, and functions on a session.

The session is the caller's. Nothing here starts, changes or stops one, but `session`, which yields
a session that it starts, and ends only that one.
"""

from rejoin_conformance.campaigns.plan import Plan
from rejoin_conformance.campaigns.spark.session import Cluster
from rejoin_conformance.campaigns.spark.session import spark_session as session
from rejoin_conformance.campaigns.spark.shipping import send_packages, send_program
from rejoin_conformance.spark.frames import examined, kept, verified
from rejoin_conformance.spark.sources import Answers, Campaign, Vectors, register

__all__ = [
    "Answers",
    "Campaign",
    "Cluster",
    "Plan",
    "Vectors",
    "examined",
    "kept",
    "register",
    "send_packages",
    "send_program",
    "session",
    "verified",
]
