import { basename } from "node:path";
import { expect, it } from "vitest";
import { firstFiles } from "./lib/firstFiles.mjs";
import { at } from "./lib/paths.mjs";

it("<hadal-chart> loads at most 120 KB before the code of a view, in few files", () => {
  const { files, bytes } = firstFiles(at("apps/web/dist-embed"));
  expect(bytes).toBeLessThanOrEqual(120 * 1_024);
  // React alone is more: less would mean that a file was not counted.
  expect(bytes).toBeGreaterThan(60_000);
  expect(files.map((file) => basename(file))).toEqual([
    "hadal-chart.js",
    expect.stringMatching(/^chart-/),
    expect.stringMatching(/^rolldown-runtime-/),
  ]);
});
