// The SDK of the newest revision.

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { overHttp, overStdio } from "./journey.mjs";

const folder = process.argv[2];
const { ADDRESS, TOKEN, SERVER } = process.env;

async function connected(transport) {
  const client = new Client({ name: "tests", version: "1" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(transport);
  return client;
}

const requestInit = { headers: { Authorization: `Bearer ${TOKEN}` } };
const http = await connected(new StreamableHTTPClientTransport(new URL(ADDRESS), { requestInit }));
const version = http.getNegotiatedProtocolVersion();
await overHttp(http, folder);
await overStdio(await connected(new StdioClientTransport({ command: SERVER, args: ["mcp", "--root", folder] })));
console.log(`TypeScript, HTTP and stdio, ${version}: right`);
