import { expect, test } from "vitest";
import { wholeBytesMax } from "../file/cutBody.js";
import { readPreview } from "../file/readPreview.js";
import type { RowFile } from "../file/rowFile.js";
import { type ImportAsked, importHint } from "./importHint.js";

const file = { name: "rows.json", size: 100 } as RowFile;
const times = '{"time":1795254000000}\n{"time":1795254000001}';

const asked = (
  part: Partial<ImportAsked> & { readonly timeColumn?: string | null },
): ImportAsked => {
  const { timeColumn = "time", ...rest } = part;
  const readOptions = { timeColumn, timeUnit: "auto", timeZone: "UTC", csv: {} } as const;
  return { table: "t", readOptions, file, preview: readPreview(times), ...rest };
};

test("rows with times need no hint", () => expect(importHint(asked({}))).toBeNull());

test("an invalid table name, a missing time column and a list that is too long block the import", () => {
  expect(importHint(asked({ table: "" }))).toMatchObject({ blocks: true });
  expect(importHint(asked({ timeColumn: null }))).toMatchObject({ blocks: true });
  const long = { ...file, size: wholeBytesMax + 1 };
  const list = readPreview(`[${times.replace("\n", ",")}]`);
  expect(importHint(asked({ file: long, preview: list }))).toMatchObject({ blocks: true });
  expect(importHint(asked({ file: long }))).toBeNull();
});

test("some values that are no times give a hint that does not block", () => {
  const preview = readPreview(`${times}\n{"time":"yesterday"}`);
  expect(importHint(asked({ preview }))).toMatchObject({
    blocks: false,
    text: expect.stringContaining("Some values of time"),
  });
});
