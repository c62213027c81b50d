import { expect, test } from "vitest";
import { readSettings, writtenSetting } from "./columnSettingText.js";

test("written settings of columns are read back", () => {
  const columns = [
    { name: "price", decimals: 2 },
    { name: "zip", type: "string" },
    { name: "id", type: "int", decimals: 0 },
  ] as const;
  const written = columns.map(writtenSetting);
  expect(readSettings(written)).toEqual({ ok: true, columns });
  // Hidden decimals are not sent.
  expect(readSettings([{ name: "a", type: "set", decimals: "2" }])).toEqual({
    ok: true,
    columns: [{ name: "a", type: "set" }],
  });
  for (const wrong of [{ name: "" }, { decimals: "x" }, { decimals: "" }]) {
    const setting = { name: "a", type: "", decimals: "1", ...wrong } as const;
    expect(readSettings([setting])).toMatchObject({ ok: false });
  }
});
