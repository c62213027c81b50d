import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import type { RealTable } from "./realTable.js";
import { accessLogTable, flightsTable, githubTable, stacksTable } from "./realTable.js";

const folder = new URL("../../../../../shared/data/", import.meta.url);
const files = {
  flights: new URL("flights-geo/flights-20k.json.gz", folder),
  accessLog: new URL("access-logs/apache_logs", folder),
  github: new URL("github-events/2021-07-21-few-hours.ndjson.gz", folder),
  stacks: new URL("flame/perf-vertx-stacks-01-collapsed-all.folded", folder),
};

/** Whether the real files are on this machine; they are no part of the repository. */
export function hasRealFiles(): boolean {
  return Object.values(files).every((file) => existsSync(fileURLToPath(file)));
}

export function realTables(): readonly RealTable[] {
  const flights = JSON.parse(gunzipSync(readFileSync(files.flights)).toString()) as unknown[];
  return [
    flightsTable(flights),
    accessLogTable(linesOf(readFileSync(files.accessLog))),
    githubTable(linesOf(gunzipSync(readFileSync(files.github)))),
    stacksTable(linesOf(readFileSync(files.stacks))),
  ];
}

function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
}
