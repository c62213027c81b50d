import { readFileSync } from "node:fs";
import { satisfies } from "semver";
import { expect, test } from "vitest";
import { at } from "./lib/paths.mjs";

test("every locked package runs on the oldest Node.js that Hadal supports", () => {
  const lock = JSON.parse(readFileSync(at("package-lock.json"), "utf8"));
  const oldest = lock.packages[""].engines.node.replace(">=", "").concat(".0");
  const tooNew = Object.entries(lock.packages)
    .filter(([, { engines }]) => engines?.node !== undefined && !satisfies(oldest, engines.node))
    .map(([path, { engines }]) => `${path}: ${engines.node}`);
  expect(tooNew).toEqual([]);
});
