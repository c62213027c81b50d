import { expect, it } from "vitest";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import { printLeafMetrics } from "./leafMetrics.js";

const leaf = (id: string, state: "alive" | "dead", rows: number | null): LeafConnection =>
  ({ id, state, status: rows === null ? null : { rows } }) as unknown as LeafConnection;

it("prints each metric once with its help and type, and a line for each leaf", () => {
  const lines = printLeafMetrics([leaf("leaf-1", "alive", 7), leaf("leaf-2", "dead", null)])
    .trimEnd()
    .split("\n");
  expect(lines.slice(0, 4)).toEqual([
    "# HELP hadal_leaf_up 1 while the leaf answers.",
    "# TYPE hadal_leaf_up gauge",
    'hadal_leaf_up{leaf="leaf-1"} 1',
    'hadal_leaf_up{leaf="leaf-2"} 0',
  ]);
  expect(lines).toContain('hadal_rows{leaf="leaf-1"} 7');
  const names = lines.filter((line) => line.startsWith("# TYPE")).map((line) => line.split(" ")[2]);
  expect(new Set(names).size).toBe(names.length);
});

it("counts 0 for a leaf that has said nothing yet", () => {
  expect(printLeafMetrics([leaf("leaf-1", "alive", null)])).toContain(
    'hadal_rows{leaf="leaf-1"} 0',
  );
});
