export interface Snippet {
  readonly name: string;
  readonly text: string;
}

/** Commands and programs that send a row to the table, ready to paste. */
export function snippetsOf(url: string, table: string, nowMs: number): readonly Snippet[] {
  const path = `/api/v1/tables/${encodeURIComponent(table)}/rows`;
  const row = `{"time": ${nowMs}, "service": "checkout", "latency_us": 81234, "country": "DE"}`;
  return [
    {
      name: "curl",
      text: `curl ${inShell(url + path)} \\
  -H 'content-type: application/x-ndjson' \\
  -d ${inShell(row)}`,
    },
    {
      name: "file",
      text: `npx hadal ingest rows.ndjson --table ${inShell(table)} --url ${url}`,
    },
    {
      name: "JavaScript",
      text: `import { createClient } from "@hadal/sdk";

const client = createClient({ url: ${JSON.stringify(url)} });
const rows = client.ingest(${JSON.stringify(table)});
await rows.push({ time: Date.now(), service: "checkout", latency_us: 81234, country: "DE" });
await rows.close();`,
    },
    {
      name: "Python",
      text: `import json, time, urllib.request

row = {"time": int(time.time() * 1000), "service": "checkout", "latency_us": 81234, "country": "DE"}
request = urllib.request.Request(
    ${JSON.stringify(url + path)},
    data=json.dumps(row).encode(),
    headers={"content-type": "application/x-ndjson"},
)
print(urllib.request.urlopen(request).read().decode())`,
    },
  ];
}

/** Quotes a word for a shell. */
function inShell(text: string): string {
  return /^[\w./:@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
