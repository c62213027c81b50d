import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const script = fileURLToPath(new URL("../../../../.tools/simulate.mjs", import.meta.url));
/** `npm run simulate` runs more. */
const seeds = 100;

test(`${seeds} random histories of a cluster keep every invariant (I1-I7)`, {
  timeout: 300_000,
}, async () => {
  const { stdout } = await run(process.execPath, [script, "--seeds", String(seeds)]);
  expect(JSON.parse(stdout.trim().split("\n").at(-1)!)).toMatchObject({ seeds, failed: 0 });
});
