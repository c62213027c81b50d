import { HadalError, type IngestReply } from "@hadal/sdk";
import { describe, expect, test } from "vitest";
import { rowFile } from "./rowFile.js";
import { uploadFile } from "./uploadFile.js";

describe("upload", () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, i) => `{"i":${i},"pad":"${"x".repeat(1_000)}"}`).join("\n");
  const reply = (accepted: number, problems: IngestReply["problems"] = []): IngestReply => ({
    ...{ batchId: "b", accepted, problems, ack: "durable" },
    rejected: problems.length,
  });

  test("rejected lines are numbered by the file, not by the part", async () => {
    const keys = new Set<string>();
    const bad = { line: 2, code: "no-time", detail: "no time" };
    const answers = [
      reply(10, [bad]),
      new HadalError("rows-rejected", { rejected: 1, detail: "" }, [bad]),
    ];
    const state = await uploadFile(
      {
        async ingestBody(_table, _body, { idempotencyKey = "" }) {
          keys.add(idempotencyKey);
          const answer = answers[keys.size - 1];
          if (answer instanceof Error) throw answer;
          return answer ?? reply(1);
        },
      },
      {
        file: await rowFile(new Blob([lines(4_000)]), "x.ndjson"),
        table: "t",
        format: "ndjson",
        readOptions: { timeColumn: "time", timeUnit: "auto", timeZone: "UTC", csv: {} },
      },
      () => {},
      new AbortController().signal,
    );
    expect(keys.size).toBeGreaterThanOrEqual(2);
    expect(state).toMatchObject({
      accepted: 10,
      rejected: 2,
      bytesSent: new Blob([lines(4_000)]).size,
    });
    expect(state.problems[0]?.line).toBe(2);
    expect(state.problems[1]?.line).toBeGreaterThan(1_900);
  });
});
