"""Connects with the official Python client, of its first or second generation, and prints what it finds as JSON. The first argument is
legacy or, for the second generation, the revision of the protocol that needs no session; with a fourth one it calls that tool and waits."""

import asyncio
import contextlib
import json
import sys

import mcp
from mcp.client import streamable_http

mode, url, token = sys.argv[1:4]
library = getattr(streamable_http, "httpx2", None) or streamable_http.httpx  # of the version's HTTP client
headers = {"Authorization": "Bearer " + token}


def member(of, *names):
    for name in names:
        if hasattr(of, name):
            return getattr(of, name)
    raise AttributeError(names)


@contextlib.asynccontextmanager
async def connect():
    async with library.AsyncClient(headers=headers, timeout=60) as http:
        transport = streamable_http.streamable_http_client(url, http_client=http)
        if mode != "legacy":
            async with mcp.Client(transport, mode=mode) as client:
                yield client
            return
        async with transport as (read, write, *_), mcp.ClientSession(read, write) as session:
            await session.initialize()
            yield session


def answer(result):
    structured = member(result, "structuredContent", "structured_content")
    return {"error": member(result, "isError", "is_error"), "answer": structured,
            "same": json.loads(result.content[0].text) == structured}


async def main():
    async with connect() as session:
        if len(sys.argv) > 4:
            await session.call_tool(sys.argv[4], {})
            return
        found = {"tools": [tool.name for tool in (await session.list_tools()).tools]}
        found["list"] = answer(await session.call_tool("list_nodes", {"type": "Person"}))
        found["missing"] = answer(await session.call_tool("get_node", {"node_id": "nothing"}))
        try:
            result = await session.call_tool("apply_changes", {"operations": []})
            found["write"] = result.content[0].text if member(result, "isError", "is_error") else "done"
        except Exception as error:  # noqa: BLE001 - whichever the version raises
            found["write"] = str(error)
        print(json.dumps(found))


asyncio.run(main())
