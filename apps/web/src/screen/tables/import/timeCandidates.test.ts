import type { CsvReading } from "@hadal/sdk";
import { expect, test } from "vitest";
import { readPreview } from "../file/readPreview.js";
import { containsNumbers, timeCandidates } from "./timeCandidates.js";

const preview = readPreview('{"time":1795254000000,"at":"2026-11-21T09:00:00Z","ms":1.5}');

test("a time column can be any column of the preview or of the server's reading", () => {
  expect(timeCandidates(preview, null)).toEqual(["time", "at", "ms"]);
  const csv = { columns: [{ name: "at" }, { name: "other" }] } as unknown as CsvReading;
  expect(timeCandidates(preview, { csv })).toEqual(["time", "at", "ms", "other"]);
});

test("integers and decimals are numbers, texts and unknown columns are not", () => {
  const names = ["time", "ms", "at", "gone"];
  expect(names.filter((name) => containsNumbers(preview, name))).toEqual(["time", "ms"]);
});
