// The SDK of the revisions that begin with a handshake.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { overHttp, overStdio } from "./journey.mjs";

const folder = process.argv[2];
const { ADDRESS, TOKEN, SERVER } = process.env;

async function connected(transport) {
  const client = new Client({ name: "tests", version: "1" });
  await client.connect(transport);
  return client;
}

const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
const transport = new StreamableHTTPClientTransport(new URL(ADDRESS), { requestInit });
const http = await connected(transport);
await overHttp(http, folder);
await overStdio(await connected(new StdioClientTransport({ command: SERVER, args: ["mcp", "--root", folder] })));
console.log(`TypeScript, HTTP and stdio, ${transport.protocolVersion}: right`);
