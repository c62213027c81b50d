import { expect, test } from "vitest";
import { ExpiryClock } from "./expiryClock.js";

const dayMs = 86_400_000;
const rightMs = Date.UTC(2026, 0, 1);

/** A clock whose machine and registry are that far ahead of the right time. */
function clockAhead({
  own = 0,
  registry = 0,
}: {
  readonly own?: number;
  readonly registry?: number;
}) {
  const state = { now: 5_000, isAway: false, reads: 0 };
  const clock = new ExpiryClock({
    ownMs: () => rightMs + own + state.now,
    now: () => state.now,
    registryMs: async () => {
      state.reads++;
      if (state.isAway) throw new Error("away");
      return rightMs + registry + state.now;
    },
  });
  return { clock, state };
}

test.each([
  ["both right", {}, 0],
  ["the machine 10 years ahead", { own: 3_652 * dayMs }, 0],
  ["the registry 10 years ahead", { registry: 3_652 * dayMs }, 0],
  ["the machine an hour behind", { own: -3_600_000 }, -3_600_000],
])("F13: %s", async (_, ahead, offMs) => {
  const { clock, state } = clockAhead(ahead);
  expect(await clock.nowMs()).toBe(rightMs + 5_000 + offMs);
  state.now += 59_000;
  expect(await clock.nowMs()).toBe(rightMs + 64_000 + offMs);
  expect(state.reads).toBe(1);
});

test("without the registry nothing expires until it was read once; after that the time goes on", async () => {
  const { clock, state } = clockAhead({ own: dayMs });
  state.isAway = true;
  await expect(clock.nowMs()).rejects.toThrow("away");
  state.isAway = false;
  expect(await clock.nowMs()).toBe(rightMs + 5_000);
  state.isAway = true;
  state.now += 2 * 60_000;
  expect(await clock.nowMs()).toBe(rightMs + 125_000);
  expect(state.reads).toBe(3);
});
