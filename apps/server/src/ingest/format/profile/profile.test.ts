import { describe, expect, it } from "vitest";
import { batchRows, type StoredCell } from "../../../base/testing/batchRows.js";
import { collect } from "../../testing/collect.js";

const nowMs = Date.UTC(2026, 10, 21, 12);
const int = (value: number): StoredCell => ({ int: BigInt(value), decimals: 0 });

async function read(contentType: string, body: string, at?: string, pieceBytes = 1 << 20) {
  const timeUnit = { unit: null, nowMs };
  const raw = at === undefined ? {} : { at };
  const rows = await collect(body, { contentType, raw, timeUnit, pieceBytes });
  return {
    rows: rows.batches.flatMap(batchRows),
    times: rows.batches.flatMap((batch) => [...batch.times]),
    problems: rows.problems,
  };
}

describe("folded stacks", () => {
  it.each([1, 7, 1 << 20])(
    "a line is a stack and a count (pieces of %d bytes)",
    async (pieceBytes) => {
      const body = "main;render;paint 42\r\n\nmain;a b;a b 9007199254740993\nmain\nx -1\nlast 0";
      const { rows, times, problems } = await read("text/x-folded", body, undefined, pieceBytes);
      expect(rows).toEqual([
        { stack: ["main", "render", "paint"], value: int(42) },
        { stack: ["main", "a b", "a b"], value: { int: 9007199254740993n, decimals: 0 } },
        { stack: ["last"], value: int(0) },
      ]);
      expect(times).toEqual([nowMs, nowMs, nowMs]);
      expect(problems.map(({ line, code }) => [line, code])).toEqual([
        [4, "line-unmatched"],
        [5, "line-unmatched"],
      ]);
    },
  );

  it("have the time that the request names", async () => {
    const { times } = await read("text/x-folded", "a 1\n", "2026-11-20T00:00:00Z");
    expect(times).toEqual([Date.UTC(2026, 10, 20)]);
    expect((await read("text/x-folded", "a 1", "1795000000000")).times).toEqual([
      1_795_000_000_000,
    ]);
    await expect(read("text/x-folded", "a 1", "yesterday")).rejects.toMatchObject({
      code: "time-invalid",
    });
  });
});

const frame = (functionName: string, url = "", lineNumber = -1) => ({
  functionName,
  url,
  lineNumber,
});
const profile = {
  nodes: [
    { id: 1, callFrame: frame("(root)"), children: [2, 4] },
    { id: 2, callFrame: frame("main", "file:///app.js", 0), children: [3] },
    { id: 3, callFrame: frame("", "file:///app.js", 11) },
    { id: 4, callFrame: frame("(idle)") },
  ],
  ...{ startTime: 5_000_000, endTime: 5_003_000 },
  ...{ samples: [2, 3, 4, 3], timeDeltas: [100, 900, 1_500, -500] },
};

describe(".cpuprofile", () => {
  it("a sample is a row with the time until the next one; they may come out of order", async () => {
    const { rows, times } = await read("application/x-cpuprofile", JSON.stringify(profile));
    const main = "main (file:///app.js:1)";
    const inner = "(anonymous) (file:///app.js:12)";
    expect(rows).toEqual([
      { stack: [main], value: int(900) },
      { stack: [main, inner], value: int(1_000) },
      { stack: [main, inner], value: int(500) },
      { stack: ["(idle)"], value: int(500) },
    ]);
    expect(times).toEqual([-3, -2, -1, -1].map((ms) => nowMs + ms));
  });

  it.each<[string, object | string]>([
    ["no JSON", "x"],
    ["a list", []],
    ["of the old form", { head: {}, samples: [] }],
    ["with a sample of no node", { ...profile, samples: [2, 3, 4, 9] }],
    ["with times that are none", { ...profile, timeDeltas: [1, 2, 3, null] }],
    [
      "whose nodes lead in a circle",
      {
        ...profile,
        nodes: [
          { id: 2, callFrame: frame("a"), children: [3] },
          { id: 3, callFrame: frame("b"), children: [2, 4] },
          { id: 4 },
        ],
      },
    ],
  ])("what is %s is refused as a whole", async (_, body) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    await expect(read("application/x-cpuprofile", text)).rejects.toMatchObject({
      code: "body-undecodable",
    });
  });
});
