import { expect, test } from "vitest";
import { leaseMs } from "./cacheTier.js";
import { MemoryTier } from "./memoryTier.js";

const mib = 2 ** 20;
const value = (bytes: number): Uint8Array => new Uint8Array(bytes).fill(7);

function create(bytesMax = 10 * mib) {
  const clock = { nowMs: 0 };
  const tier = new MemoryTier(bytesMax, () => clock.nowMs);
  const set = async (key: string, pool: Parameters<MemoryTier["set"]>[1], bytes = 1_000) => {
    const lease = await tier.lease(key, "t");
    await tier.set(lease!, pool, value(bytes));
  };
  const has = async (...keys: string[]) =>
    (await tier.getMany(keys, "ad-hoc")).map((found) => found !== null);
  return { clock, tier, set, has };
}

test("M6: what is asked ad hoc pushes out nothing of boards, and says how long it had not been used", async () => {
  const { clock, tier, set, has } = create();
  await set("board", "dashboards");
  // 1.5 MiB for them, of which one value has at most an eighth.
  for (let i = 0; i < 12; i++) {
    clock.nowMs = i * 1_000;
    await set(`${i}`, "ad-hoc", mib / 8);
  }
  await tier.getMany(["1"], "ad-hoc");
  clock.nowMs = 20_000;
  await set("12", "ad-hoc", mib / 8);
  expect(await has("board", "0", "1", "2", "11", "12")).toEqual([
    ...[true, false, true, false, true, true],
  ]);
  const { dashboards, "ad-hoc": adHoc } = tier.sizes();
  expect(dashboards).toMatchObject({ bytesMax: 4 * mib, evictedAgeMs: null });
  expect(adHoc.bytes).toBeLessThanOrEqual(adHoc.bytesMax);
  // The oldest went at 11 s, the next one, of second 2, now.
  expect(adHoc.evictedAgeMs).toBe(18_000);
});

test("a value that would push out most others is not kept", async () => {
  const { set, has } = create();
  await set("small", "alerts");
  await set("large", "alerts", mib);
  expect(await has("small", "large")).toEqual([true, false]);
});

test("M3, M4: one fills a key at a time, for 10 s at most; who lost the lease keeps nothing", async () => {
  const { clock, tier, has } = create();
  const first = await tier.lease("k", "t");
  clock.nowMs = leaseMs - 1;
  expect(await tier.lease("k", "t")).toBeNull();
  clock.nowMs = leaseMs;
  const second = await tier.lease("k", "t");
  await tier.set(first!, "ad-hoc", value(1));
  expect(await has("k")).toEqual([false]);
  await tier.set(second!, "ad-hoc", value(2));
  expect(await tier.getMany(["k"], "ad-hoc")).toEqual([value(2)]);
  const third = await tier.lease("k", "t");
  tier.giveUp(third!);
  expect(await tier.lease("k", "t")).not.toBeNull();
});

test("a table that is forgotten takes its values along, and those that are being found", async () => {
  const { tier, set, has } = create();
  await set("kept", "dashboards");
  const running = await tier.lease("running", "t");
  const other = await tier.lease("other", "u");
  await tier.forget("t");
  await tier.set(running!, "dashboards", value(1));
  await tier.set(other!, "dashboards", value(1));
  expect(await has("kept", "running", "other")).toEqual([false, false, true]);
  await tier.forget(null);
  expect(await has("other")).toEqual([false]);
});

test("without bytes nothing is kept", async () => {
  const { set, has } = create(0);
  await set("k", "dashboards", 0);
  expect(await has("k")).toEqual([false]);
});
