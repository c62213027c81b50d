import type { AlertEvent } from "@hadal/sdk";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { addEvents, putRule } from "../registry/alert/alertRows.js";
import type { Registry } from "../registry/registry.js";
import { type RegistryFolder, registryFolder } from "../registry/testing/registryFolder.js";
import { findFirings } from "./firings.js";
import { fullRule } from "./rule/fullRule.js";
import type { NamedRule } from "./schedule/messageOf.js";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const startMs = 1_800_000_000_000;
const rule: NamedRule = {
  ...{ id: "r", title: "Rows", version: 3, isOfFile: false },
  rule: fullRule({
    query: { table: "t", from: "-1m", to: "now", aggregates: [{ fn: "count" }] },
    condition: { aggregate: "count", op: "above", value: 5 },
  }),
};

let folder: RegistryFolder;
let registry: Registry;
beforeAll(async () => {
  folder = await registryFolder();
});
beforeEach(async () => {
  registry = await folder.open();
});
afterAll(() => folder.remove());

const event = (
  state: AlertEvent["state"],
  atMs: number,
  firing: string,
  more: Partial<AlertEvent> = {},
): AlertEvent => ({
  // Evaluated ten seconds after the end of the window.
  ...{ at: startMs + atMs + 10_000, toMs: startMs + atMs, state, value: 7, firing, ...more },
});
const note = (...events: readonly AlertEvent[]) =>
  registry.write(async (transaction) => {
    for (const one of events) await addEvents(transaction, "r", [one]);
  });
const firingsIn = async (fromMs: number, toMs: number) =>
  (
    await findFirings(registry, [rule], {
      ...{ fromMs: startMs + fromMs, toMs: startMs + toMs, nowMs: startMs + 10 * dayMs },
    })
  ).map(({ id, timeMs, untilMs }) => [
    id,
    timeMs - startMs,
    untilMs === null ? null : untilMs - startMs,
  ]);

test("groups that fire together are one, from the first window to the end of the last group", async () => {
  await note(
    event("pending", 0, "none"),
    event("firing", hourMs, "a", { group: ["x"] }),
    event("firing", hourMs, "a", { group: ["y"] }),
    event("ok", 2 * hourMs, "a", { group: ["x"] }),
    event("firing", 3 * hourMs, "b", { group: ["x"] }),
    event("ok", 4 * hourMs, "a", { group: ["y"] }),
    event("undelivered", 4 * hourMs, "a"),
  );
  await registry.write((transaction) =>
    putRule(transaction, {
      ...{ ruleId: "r", owner: { kind: "anyone", id: null }, secrets: {}, mutedUntilMs: 0 },
      state: JSON.stringify({ firings: { b: {} }, groups: {} }),
    }),
  );
  expect(await firingsIn(0, dayMs)).toEqual([
    ["firing-a", hourMs, 4 * hourMs],
    // It goes on.
    ["firing-b", 3 * hourMs, 10 * dayMs],
  ]);
  // What lasts into a range is on it, what begins after it is not.
  expect(await firingsIn(1.5 * hourMs, 2 * hourMs)).toEqual([["firing-a", hourMs, 4 * hourMs]]);
  expect(await firingsIn(20 * hourMs, dayMs)).toEqual([["firing-b", 3 * hourMs, 10 * dayMs]]);
  expect(await firingsIn(-hourMs, hourMs)).toEqual([]);
});
