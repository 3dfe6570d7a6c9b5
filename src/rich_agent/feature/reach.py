"""Reports of what a feature can or cannot reach, which log, `/status` and metrics show."""

from rich_agent.errors import Target as Target
from rich_agent.runtime.reach import Outage as Outage
from rich_agent.runtime.reach import in_reach as in_reach
from rich_agent.runtime.reach import log_failure as log_failure
from rich_agent.runtime.reach import out_of_reach as out_of_reach
from rich_agent.runtime.reach import present_outages as present_outages
from rich_agent.upstreams.connection_failures import explain_failure as explain_failure
from rich_agent.upstreams.connection_failures import proxy_of as proxy_of
