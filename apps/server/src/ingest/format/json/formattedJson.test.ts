import { HadalError } from "@hadal/sdk";
import { describe, expect, it } from "vitest";
import { collect } from "../../testing/collect.js";

const json = "application/json";
const print = (i: number) => JSON.stringify({ time: 1_763_632_800_000 + i, i }, null, 2);
const objects = (count: number) => Array.from({ length: count }, (_, i) => print(i)).join("\n");

/** The refusal of a whole body. */
async function refusalOf(body: string, pieceBytes: number): Promise<HadalError> {
  const error: unknown = await collect(body, { pieceBytes }).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof HadalError) return error;
  throw new Error(`not refused: ${body.slice(0, 80)}`);
}

describe("JSON over many lines", () => {
  it.each<[name: string, body: string, accepted: number]>([
    ["an object", print(1), 1],
    ["a list", `[\n${[print(1), print(2)].join(",\n")}\n]\n`, 2],
    ["objects on lines of their own", `${objects(300)}\n`, 300],
    ["objects without anything between them", objects(40).replaceAll("}\n{", "}{"), 40],
  ])("%s is read", async (_, body, accepted) => {
    for (const pieceBytes of [1, 7, 1 << 20]) {
      const rows = await collect(body, { contentType: json, pieceBytes });
      expect([rows.accepted, rows.problems]).toEqual([accepted, []]);
    }
  });

  it("a comma behind the last row of a list is named, and costs no row", async () => {
    const rows = await collect(`[\n${print(1)},\n${print(2)},\n]`, { contentType: json });
    expect(rows).toMatchObject({ accepted: 2, rejected: 1 });
    expect(rows.problems).toMatchObject([
      { line: 10, detail: expect.stringContaining("a comma stands before the `]`") },
    ]);
  });

  it("a broken object among objects is refused alone, a body of other values as a whole", async () => {
    const broken = await collect(`${print(1)}\n{"time": tru}\n${print(2)}`, { contentType: json });
    expect(broken).toMatchObject({ accepted: 2, rejected: 1, problems: [{ line: 5 }] });
    await expect(collect(`${print(1)},\n${print(2)}`, { contentType: json })).rejects.toMatchObject(
      { code: "bad-request", errors: [{ line: 4 }] },
    );
  });

  it.each<[name: string, body: string]>([
    ["an object", print(1)],
    ["many objects", objects(300)],
    ["a list", `[\n${objects(300).replaceAll("}\n{", "},\n{")}\n]`],
    ["a list of one row a line", '[\n{"time":1763632800000},\n{"time":1763632800001}\n]\n'],
    ["a list that begins with its first row", '[{"time":1763632800000},\n{"time":1763632800001}]'],
    [
      "an object whose first name stands beside the brace",
      '\n{ "time": 1763632800000,\n  "i": 1 }',
    ],
  ])("%s as NDJSON is one clear problem", async (_, body) => {
    for (const pieceBytes of [1, 7, 1 << 20]) {
      const { code, status, message, errors } = await refusalOf(body, pieceBytes);
      expect([code, status]).toEqual(["body-undecodable", 400]);
      expect(message).toMatch(/NDJSON has one row a line.*application\/json.*--format json/);
      const line = body.startsWith("\n") ? 2 : 1;
      expect(errors).toMatchObject([{ line, code: "row-over-lines" }]);
    }
  });

  it.each<[name: string, first: string]>([
    ["a row that is cut off", '{"time":17636328'],
    ["a brace", "{"],
    ["a list of something else", "[1, 2]"],
    ["no JSON", "time=5"],
  ])("%s on the first line of NDJSON costs itself alone", async (_, first) => {
    const good = '{"time":1763632800000}\n{"time":1763632800001}\n';
    expect(await collect(`${first}\n${good}`)).toMatchObject({
      accepted: 2,
      rejected: 1,
      problems: [{ line: 1 }],
    });
    expect(await collect(first)).toMatchObject({ accepted: 0, rejected: 1 });
  });

  it("rows wrapped in an object: the refusal names the part to send", async () => {
    const body = JSON.stringify({
      logs: [{ time: 1_763_632_800_000 }, { time: 1_763_632_800_001 }],
    });
    for (const contentType of [json, "application/x-ndjson"]) {
      const { problems } = await collect(body, { contentType });
      expect(problems).toEqual([
        {
          line: 1,
          code: "time-missing",
          detail:
            'The row has no `time`. If the rows are those in "logs", send that list alone, as from jq \'.["logs"]\'.',
        },
      ]);
    }
    for (const row of ['{"a":[]}', '{"a":[1]}', '{"a":["x",{}]}'])
      expect((await collect(row)).problems[0]?.detail).toBe("The row has no `time`.");
  });
});
