import type { SourceStatus } from "@hadal/sdk";
import { expect, test } from "vitest";
import { problemOf, stateOf, topicsOf } from "./sourceSentences.js";

const partition = { endOffset: 9, lagRows: 0, gateway: "gateway", atMs: 1, offset: 9 };
const source: SourceStatus = {
  ...{ id: "shop", kind: "kafka", group: "hadal", state: "reading", reason: null, lagRows: 0 },
  partitions: [
    { ...partition, topic: "orders", table: "orders", partition: 0 },
    { ...partition, topic: "orders", table: "orders", partition: 1 },
    { ...partition, topic: "web", table: "requests", partition: 0 },
  ],
  ...{ accepted: 18, rejected: 0, problems: [] },
};

test("a source says what it reads, how it is, and what was refused last", () => {
  expect(topicsOf(source)).toBe("orders (2 partitions), web → requests (1 partition)");
  expect(stateOf(source)).toBe("reading");
  expect(problemOf(source)).toBe("");
  const away: SourceStatus = { ...source, state: "away", reason: "connection refused" };
  expect(stateOf(away)).toBe("away: connection refused");
  const place = { topic: "web", partition: 0, offset: 7, atMs: 1 };
  const problems = [{ ...place, code: "time-missing", detail: "The row has no `time`." }];
  expect(problemOf({ ...source, problems })).toBe("web/0 at 7: The row has no `time`.");
});
