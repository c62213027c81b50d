import { readFileSync } from "node:fs";
import { satisfies } from "semver";
import { expect, test } from "vitest";
import { at } from "./lib/paths.mjs";

/**
 * These name the Node.js that they are built with. The client of Kafka does without it: its first version for Node.js 20
 * is 20.19.4, and it was run with 20.19.0; the tests with a broker run with whatever runs them.
 */
const alsoRun = ["dynamic-buffer", "kafka", "wasm-utils"].map(
  (name) => `node_modules/@platformatic/${name}`,
);

test("every locked package runs on the oldest Node.js that Hadal supports", () => {
  const lock = JSON.parse(readFileSync(at("package-lock.json"), "utf8"));
  const oldest = lock.packages[""].engines.node.replace(">=", "").concat(".0");
  const tooNew = Object.entries(lock.packages)
    .filter(([path]) => !alsoRun.includes(path))
    .filter(([, { engines }]) => engines?.node !== undefined && !satisfies(oldest, engines.node))
    .map(([path, { engines }]) => `${path}: ${engines.node}`);
  expect(tooNew).toEqual([]);
});
