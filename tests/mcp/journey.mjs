// What an agent does, with either generation of the TypeScript SDK.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";

const TOOLS = ["prepare_upload", "request_upload", "analyze", "compare", "get_analysis", "list_analyses", "usage"];

async function call(client, name, args) {
  // the SDK holds the result against the tool's schema
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, JSON.stringify(result));
  return result.structuredContent;
}

export async function overHttp(client, folder) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), TOOLS);
  const file = join(folder, "5000000.pdf");
  const ticket = await call(client, "prepare_upload", { filename: file, size: statSync(file).size });
  execFileSync("sh", ["-c", ticket.curl]);
  const told = await call(client, "analyze", { upload_id: ticket.upload_id });
  assert.equal(told.untrusted.texts.title, "Report");
  for (const part of ["summary", "signals", "metadata"]) {
    assert.equal((await call(client, "get_analysis", { id: told.id, part })).part, part);
  }
  assert.equal((await call(client, "list_analyses", { verdict: told.verdict })).analyses[0].id, told.id);
  assert.ok((await call(client, "usage", {})).checks_used_today > 0);
  const refused = await client.callTool({ name: "get_analysis", arguments: { id: "none" } });
  assert.equal(JSON.parse(refused.content[0].text).code, "not_found");
  await client.close();
}

export async function overStdio(client) {
  const { tools } = await client.listTools();
  assert.deepEqual(tools.map((tool) => tool.name), ["inspect", "compare", "list_files"]);
  const compared = await call(client, "compare", { before: "35000.pdf", after: "35000.pdf" });
  assert.equal(compared.relation, "identical");
  const told = await call(client, "inspect", { path: "35000.pdf", part: "signals" });
  assert.equal(told.part, "signals");
  assert.ok((await client.callTool({ name: "inspect", arguments: { path: "/etc/passwd" } })).isError);
  await client.close();
}
