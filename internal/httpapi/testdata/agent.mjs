// Connects with the official TypeScript client, of its first or second generation, and prints what it finds as JSON, as agent.py does.
import { isDeepStrictEqual } from "node:util";

const { Client, StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client").catch(async () => ({
  ...(await import("@modelcontextprotocol/sdk/client/index.js")),
  ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
}));
const [mode, url, token, tool] = process.argv.slice(2);
const client = new Client(
  { name: "typescript", version: "1" },
  mode === "legacy" ? {} : { versionNegotiation: { mode: { pin: mode } } },
);
await client.connect(
  new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { Authorization: `Bearer ${token}` } } }),
);

const answer = (result) => ({
  error: result.isError ?? false,
  answer: result.structuredContent,
  same: isDeepStrictEqual(JSON.parse(result.content[0].text), result.structuredContent),
});

if (tool !== undefined) {
  await client.callTool({ name: tool, arguments: {} });
} else {
  const found = { tools: (await client.listTools()).tools.map((each) => each.name) };
  found.list = answer(await client.callTool({ name: "list_nodes", arguments: { type: "Person" } }));
  found.missing = answer(await client.callTool({ name: "get_node", arguments: { node_id: "nothing" } }));
  try {
    const result = await client.callTool({ name: "apply_changes", arguments: { operations: [] } });
    found.write = result.isError ? result.content[0].text : "done";
  } catch (error) {
    found.write = String(error);
  }
  console.log(JSON.stringify(found));
}
await client.close();
