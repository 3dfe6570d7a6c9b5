"""Errands in the database, and how they are run."""

import httpx

from rich_agent import feature as door

_INSERT = "INSERT INTO errands (user_id, thread_id, words) VALUES (%s, %s, %s) RETURNING id"
_ALL = "SELECT words, done_at FROM errands WHERE user_id = %s ORDER BY id"


class Errand(door.Arguments):
    """Words for what the user wants to have done."""

    words: str


class Errands:
    """Errands of users; each is run once it is due."""

    def __init__(self, core: door.Core, http: httpx.AsyncClient) -> None:
        self.database, self.http = core.databases.app, http

    async def begin(self, errand: Errand, asker: door.Asker) -> door.Outcome:
        """Keep the errand and what is due of it, in one transaction."""
        async with door.checkout(self.database) as connection:
            values = (asker.user_id, asker.thread_id, errand.words)
            row = await door.fetch_one(connection, _INSERT, values)
            work = door.NewWork("errands", str(row["id"]), user_id=asker.user_id)
            await door.add_due(connection, work)
        return door.Outcome({"begun": True}, done=door.say(asker.locale, "errands-begun"))

    async def run(self, row: door.DueRow) -> door.NextRun | None:
        """Tell the server; told twice, it knows by the id that it is the same errand."""
        query = "SELECT id, words FROM errands WHERE id = %s AND done_at IS NULL"
        async with door.checkout(self.database) as connection:
            errands = await door.fetch_all(connection, query, (int(row.key),))
        for one in errands:
            answer = await self.http.post("/errand", json=one)
            answer.raise_for_status()
            async with door.checkout(self.database) as connection:
                done = "UPDATE errands SET done_at = clock_timestamp() WHERE id = %s"
                await connection.execute(done, (one["id"],))
        return None

    async def show(self, request: door.CommandRequest) -> door.Reply:
        """List the user's errands."""
        async with door.checkout(self.database) as connection:
            rows = await door.fetch_all(connection, _ALL, (request.user_id,))
        lines = [f"{'✓' if one['done_at'] else '…'} {one['words']}" for one in rows]
        return door.Reply.of("\n".join(lines) or door.say(request.locale, "errands-none"))
