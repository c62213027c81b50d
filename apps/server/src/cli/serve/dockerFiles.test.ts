import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { serveFlags } from "./serveSettings.js";

/** No Docker is needed to see that a setting has another name by now: the image would ignore it. */
test.each(["Dockerfile", "compose.yaml", "compose.postgres.yaml", "healthcheck.mjs", "README.md"])(
  "settings in docker/%s are known",
  async (name) => {
    const text = await readFile(new URL(`../../../../../docker/${name}`, import.meta.url), "utf8");
    const known = serveFlags.map(({ environment }) => environment);
    const named = new Set(text.match(/HADAL_[A-Z_]+/g));
    expect(named.size).toBeGreaterThan(0);
    expect([...named].filter((variable) => !known.includes(variable))).toEqual([]);
  },
);
