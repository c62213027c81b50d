import { HadalError } from "@hadal/sdk";
import { expect, test } from "vitest";
import { RowQuota } from "./rowQuota.js";

function createWorld(userRowsPerMinute: number) {
  const clock = { nowMs: 0 };
  const quota = new RowQuota({ userRowsPerMinute }, () => clock.nowMs);
  const scan = (client: string, expected: number, rowsScanned = expected) =>
    quota.run(
      client,
      () => expected,
      async () => ({ stats: { rowsScanned } }),
    );
  return { clock, quota, scan };
}

const refused = { code: "quota-exceeded", members: { limitName: "userRowsPerMinute" } };

test("rows that were scanned count, whatever was expected, for all addresses of a person", async () => {
  const { clock, scan } = createWorld(1_000);
  await scan("user:1 ::1 s", 900, 100);
  await scan("user:1 ::2", 900);
  await expect(scan("user:1 ::3", 1)).rejects.toMatchObject({
    ...{ ...refused, members: { limitName: "userRowsPerMinute", retryAfterMs: 60 } },
  });
  await scan("user:2 ::1", 1);
  clock.nowMs = 60;
  await scan("user:1 ::1", 1);
});

test("queries that run count with what they are expected to scan", async () => {
  const { quota, scan } = createWorld(1_000);
  let end = (): void => undefined;
  const running = quota.run(
    "user:1 ::1",
    () => 2_000,
    () =>
      new Promise<{ stats: { rowsScanned: number } }>((resolve) => {
        end = () => resolve({ stats: { rowsScanned: 10 } });
      }),
  );
  await expect(scan("user:1 ::1", 1)).rejects.toMatchObject({ code: "quota-exceeded" });
  end();
  await running;
  await scan("user:1 ::1", 1);
});

test("a query that fails at once costs nothing, and one that ran for long costs what it was expected to", async () => {
  const { clock, quota, scan } = createWorld(1_000);
  const fail = (afterMs: number): Promise<never> =>
    quota.run(
      "user:1 ::1",
      () => 2_000,
      async () => {
        clock.nowMs += afterMs;
        throw new HadalError("cancelled");
      },
    );
  await expect(fail(0)).rejects.toMatchObject({ code: "cancelled" });
  await scan("user:1 ::1", 1);
  await expect(fail(5)).rejects.toMatchObject({ code: "cancelled" });
  await expect(scan("user:1 ::1", 1)).rejects.toMatchObject({ code: "quota-exceeded" });
});

test("the server's own questions and a server without the limit count nothing", async () => {
  const { scan } = createWorld(1);
  await scan("", 1_000);
  await scan("", 1_000);
  const { scan: scanFreely } = createWorld(0);
  await scanFreely("user:1 ::1", 1_000);
  await scanFreely("user:1 ::1", 1_000);
});
