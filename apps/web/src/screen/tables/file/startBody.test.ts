import { expect, test } from "vitest";
import type { BodyFormat } from "./readPreview.js";
import { rowFile } from "./rowFile.js";
import { startBody } from "./startBody.js";

const textOf = async (text: string, format: BodyFormat) => {
  const body = await startBody(await rowFile(new Blob([text]), "x"), format, undefined);
  return typeof body === "string" ? body : new TextDecoder().decode(body);
};
const line = (i: number) => JSON.stringify({ time: i, pad: "x".repeat(1_000) });
const lines = Array.from({ length: 2_000 }, (_, i) => line(i));

test("a short file is sent whole, even when it is invalid", async () => {
  expect(await textOf('[{"time":1},', "json")).toBe('[{"time":1},');
  expect(await textOf("time\n1\n", "csv")).toBe("time\n1\n");
  expect(await textOf("", "ndjson")).toBe("");
});

test("of a long file complete rows are sent", async () => {
  const start = (await textOf(lines.join("\n"), "ndjson")).trimEnd().split("\n");
  expect(start.length).toBeLessThan(lines.length);
  expect(start).toEqual(lines.slice(0, start.length));
  const list: unknown[] = JSON.parse(await textOf(`[${lines.join(",")}]`, "json"));
  expect(list.length).toBeGreaterThan(900);
  expect(list.at(-1)).toEqual(JSON.parse(line(list.length - 1)));
});
