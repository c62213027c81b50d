import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { startGateway, withFolder } from "../testing/gateway.js";
import { MemoryLeaf } from "../testing/memoryLeaf.js";
import { IngestQuota } from "./ingestQuota.js";

const body = (bytes: number): AsyncIterable<Uint8Array> => Readable.from([Buffer.alloc(bytes)]);

async function drain(sent: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _bytes of sent);
}

test("bytes count for each person, with a declared length or as they travel", async () => {
  const clock = { nowMs: 0 };
  const rates = { userIngestRows: 0, userIngestBytes: 1_000 };
  const quota = new IngestQuota(rates, () => clock.nowMs);
  quota.enter("user:1 ::1", body(600), 600);
  await drain(quota.enter("user:1 ::2", body(600), undefined));
  expect(() => quota.enter("user:1 ::1", body(1), 1)).toThrow(
    expect.objectContaining({
      code: "quota-exceeded",
      members: { limitName: "userIngestBytes", retryAfterMs: 201 },
    }),
  );
  quota.enter("user:2 ::1", body(1), 1);
  clock.nowMs = 201;
  quota.enter("user:1 ::1", body(1), 1);
});

test("a send beyond the rows of a second is refused whole; what was stored before stays and does not count again", () =>
  withFolder(async (folder) => {
    const leaf = new MemoryLeaf("leaf-1");
    const rates = { userIngestRows: 20, userIngestBytes: 0 };
    const gateway = await startGateway(folder, [leaf], Math.random, { rates });
    const rows = (count: number): string =>
      Array.from({ length: count }, (_, i) => `{"time":${i}}`).join("\n");
    await gateway.send(rows(8), "first");
    await gateway.send(rows(8), "second");
    await gateway.send(rows(8), "second");
    await gateway.send(rows(8), "third");
    await expect(gateway.send(rows(8), "fourth")).rejects.toMatchObject({
      code: "quota-exceeded",
      members: { limitName: "userIngestRows", retryAfterMs: 250 },
    });
    expect(leaf.rowCount("t")).toBe(24);
    await gateway.stop();
  }));
