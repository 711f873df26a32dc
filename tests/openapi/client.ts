// The three main calls through a client whose types were generated from the document.

import { openAsBlob } from "node:fs";
import { basename } from "node:path";
import createClient from "openapi-fetch";
import type { components, paths } from "./generated/api.js";

type Analysis = components["schemas"]["Analysis"];
type Refusal = components["schemas"]["ErrorAnswer"];

const { API, TOKEN } = process.env;
const client = createClient<paths>({ baseUrl: API, headers: { Authorization: `Bearer ${TOKEN}` } });

function required<T>({ data, error }: { data?: T; error?: Refusal }): T {
  if (!data) throw new Error(error?.error.message);
  return data;
}

async function analyze(path: string): Promise<Analysis> {
  const pdf = await openAsBlob(path, { type: "application/pdf" });
  const answer = await client.POST("/pdf/analyze", {
    // the generated type takes a file for a text
    body: { file: pdf as unknown as string },
    bodySerializer() {
      const form = new FormData();
      form.append("file", pdf, basename(path));
      return form;
    },
  });
  const { data, remaining_checks } = required(answer);
  console.log(data.id, data.metadata.basic.pages, data.metadata.dates.created.iso8601, remaining_checks);
  return data;
}

const analysis = await analyze(process.argv[2]!);
const { data, meta } = required(await client.GET("/pdf", { params: { query: { per_page: 1 } } }));
if (data[0]?.id !== analysis.id || meta.total < 1) throw new Error("the analysis is not listed");
const again = required(await client.GET("/pdf/{id}", { params: { path: { id: analysis.id } } }));
if (JSON.stringify(again.data) !== JSON.stringify(analysis)) throw new Error("the analysis reads differently");
const missing = await client.GET("/pdf/{id}", { params: { path: { id: "00000000-0000-8000-8000-000000000000" } } });
if (missing.error?.error.code !== "not_found") throw new Error("a missing analysis was found");
