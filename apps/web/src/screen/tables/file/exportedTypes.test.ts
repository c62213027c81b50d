import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { readExportedCsv } from "./exportedTypes.js";
import { readPreview } from "./readPreview.js";
import { rowFile } from "./rowFile.js";

const typesOf = async (text: string, isPacked = false) => {
  const bytes = isPacked ? new Uint8Array(gzipSync(text)) : text;
  return readExportedCsv(await rowFile(new Blob([bytes]), "x.csv"), readPreview(text));
};
const rows = 'time,n,"ser,vice",gone by\r\n2026-11-21T09:00:00.000Z,5,"7",x\r\n';
const completeness = "# completeness: 1; rows 1/1; leaves 1/1\r\n";

test("an export names the types of its columns; its comments are not rows", async () => {
  const types = '# types: time:string,n:decimal(2),"ser,vice":string,gone:set\r\n';
  expect(await typesOf(rows + completeness + types)).toEqual({
    types: 'n:decimal(2),"ser,vice":string',
  });
  expect(await typesOf(rows + completeness + types, true)).toEqual({
    types: 'n:decimal(2),"ser,vice":string',
  });
  const preview = readPreview(rows + completeness + types);
  expect(preview.rows).toHaveLength(1);
  expect(preview.columns.find(({ name }) => name === "time")?.timeShare).toBe(1);
});

test.each([
  ["of another program", "# types: n:string\r\n"],
  ["edited by hand", `${completeness}# types: n:number of rows\r\n`],
  ["within a value", `2026-11-21T09:00:00Z,1,a,"\r\n${completeness}# types: n:string"\r\n`],
  ["none", completeness],
])("comments %s give no types", async (_, comments) =>
  expect(await typesOf(rows + comments)).toEqual({}),
);
