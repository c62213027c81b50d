import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { publishCounts } from "../../../registry/ledger/ledgerGateways.js";
import { purgeLedger } from "../../../registry/ledger/purgeLedger.js";
import { AuditedLeaf } from "../../testing/auditedLeaf.js";
import { rowsText } from "../../testing/gateway.js";
import { type SharedGateway, SharedGateways } from "../../testing/sharedGateways.js";

const allTime = [0, 1e15] as const;
let gateways: SharedGateways;
let leaves: readonly AuditedLeaf[];
beforeEach(async () => {
  leaves = ["leaf-0", "leaf-1"].map((id) => new AuditedLeaf(id));
  gateways = await SharedGateways.open(leaves);
});
afterEach(() => gateways.remove());

/** The first one compares its ledger, which is new, with the leaves. */
async function startTwo(): Promise<readonly [SharedGateway, SharedGateway]> {
  const a = await gateways.start("a");
  await a.audit.settle(2_000);
  return [a, await gateways.start("b")];
}

const expectedTotal = ({ ledger }: SharedGateway): number =>
  [...ledger.expected("t", ...allTime).values()].reduce((sum, rows) => sum + rows, 0);
const doubtOf = ({ ledger }: SharedGateway, [fromMs, toMs]: readonly number[] = allTime) =>
  ledger.doubt("t", fromMs!, toMs);
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise(setImmediate);
}
const heldTotal = (): number => leaves.reduce((sum, leaf) => sum + leaf.rowCount("t"), 0);

describe("the row counts of two gateways", () => {
  test("are those of all rows, at each of them", async () => {
    const [a, b] = await startTwo();
    await a.send(rowsText(30));
    await b.send(rowsText(12));
    await b.send(rowsText(5, 86_400_000));
    // Each knows its own at once, and the other's after a turn of both.
    expect([expectedTotal(a), expectedTotal(b)]).toEqual([30, 17]);
    for (const one of [a, b, a]) await one.turn();
    expect([expectedTotal(a), expectedTotal(b)]).toEqual([47, 47]);
    expect([doubtOf(a), doubtOf(b)]).toEqual([null, null]);
    for (const leaf of leaves) {
      const rows = leaf.rowCount("t");
      expect(a.ledger.expected("t", ...allTime).get(leaf.id) ?? 0).toBe(rows);
    }
    expect(b.ledger.firstMs("t")).toBe(0);
    expect([a.ledger.isLeader, b.ledger.isLeader]).toEqual([true, false]);
    for (const one of [a, b]) await one.stop();
  });

  test("are not added twice, whatever is lost between the registry and the journal", async () => {
    const [a, b] = await startTwo();
    await b.send(rowsText(10));
    // Ends after the intent is written, before the registry has it.
    await b.ledger.own.unpublished.begin();
    await b.send(rowsText(7));
    await b.kill();
    const again = await gateways.start("b");
    await again.turn();
    await a.turn();
    expect([expectedTotal(a), expectedTotal(again)]).toEqual([17, 17]);
    // The registry has it, and the gateway does not know that.
    await again.send(rowsText(4));
    await again.ledger.own.unpublished.begin();
    const { position, rows } = again.ledger.own.unpublished.publishing;
    const publication = { position, rows: rows ?? [], seenVersion: 0, state: null, keys: null };
    await publishCounts(gateways.registry, { id: "b", name: "b" }, publication);
    await again.turn();
    expect(expectedTotal(again)).toBe(21);
    await again.kill();
    const third = await gateways.start("b");
    await a.turn();
    expect([expectedTotal(a), expectedTotal(third)]).toEqual([21, 21]);
    for (const one of [a, third]) await one.stop();
  });

  test("are unknown from when another gateway is silent, and known again by themselves", async () => {
    const [a, b] = await startTwo();
    // Rows as they usually are: of a backfill no minute would count as closed.
    await b.send(rowsText(10, Date.now() - 20_000));
    for (const one of [b, a]) await one.turn();
    const closed = [0, Date.now() - 120_000] as const;
    const now = [Date.now() - 60_000, Date.now()] as const;
    expect([doubtOf(a), doubtOf(a, now), doubtOf(a, closed)]).toEqual([null, null, null]);
    expect(a.ledger.doubtOfLeaves(["leaf-0"], Date.now())).toMatch("b has just sent to leaf-0");
    expect(a.ledger.doubtOfLeaves(["leaf-0"], closed[1])).toBeNull();
    expect(a.ledger.doubtOfLeaves([], Date.now())).toBeNull();
    gateways.aheadMs += 4_000;
    expect(doubtOf(a, now)).toMatch(/^b has not said for \d+ s/);
    expect(doubtOf(a, closed)).toBeNull();
    for (const one of [b, a]) await one.turn();
    expect(doubtOf(a, now)).toBeNull();
    for (const one of [a, b]) await one.stop();
  });

  test("of a gateway that has ended are completed from the leaves, and exact after its return", async () => {
    const [a, b] = await startTwo();
    await b.send(rowsText(10));
    for (const one of [b, a]) await one.turn();
    await b.send(rowsText(7));
    await b.kill();
    await gateways.silence("b");
    await a.turn();
    await a.turn();
    expect(doubtOf(a)).toMatch("b has ended");
    await a.audit.settle(5_000);
    expect([expectedTotal(a), heldTotal(), doubtOf(a)]).toEqual([17, 17, null]);
    const again = await gateways.start("b");
    await again.send(rowsText(3));
    await again.turn();
    await a.turn();
    expect(doubtOf(a)).toMatch("b was away");
    await a.audit.settle(5_000);
    await again.turn();
    expect([expectedTotal(a), expectedTotal(again), heldTotal()]).toEqual([20, 20, 20]);
    expect([doubtOf(a), doubtOf(again)]).toEqual([null, null]);
    expect(a.audit.report().lostRows).toEqual([]);
    for (const one of [a, again]) await one.stop();
  });

  test("have no rows of a gateway that does not know that others have taken its place", async () => {
    const [a, b] = await startTwo();
    await b.send(rowsText(10));
    for (const one of [b, a]) await one.turn();
    await gateways.silence("b");
    gateways.cutOff.add("b");
    await a.turn();
    // Leaves do not know it yet.
    await b.send(rowsText(3));
    await a.turn();
    expect(doubtOf(a)).toMatch("b has ended");
    await a.audit.settle(5_000);
    expect(await b.send(rowsText(5)).catch((error: unknown) => error)).toMatchObject({
      ...{ code: "gateway-fenced", status: 503 },
    });
    expect([expectedTotal(a), heldTotal(), doubtOf(a)]).toEqual([13, 13, null]);
    gateways.cutOff.clear();
    await b.turn();
    await b.send(rowsText(5));
    for (const one of [b, a]) await one.turn();
    await a.audit.settle(5_000);
    await b.turn();
    expect([expectedTotal(a), expectedTotal(b), heldTotal()]).toEqual([18, 18, 18]);
    for (const one of [a, b]) await one.stop();
  });

  test("are in doubt for new rows until half of the leaves refuse those of a silent gateway", async () => {
    const [a, b] = await startTwo();
    const later = [Date.now() + 3_600_000, Date.now() + 7_200_000] as const;
    for (const leaf of leaves) leaf.state = "dead";
    await gateways.silence("b");
    for (const one of [a, a]) await one.turn();
    expect(doubtOf(a, later)).toMatch("b has ended");
    leaves[0]!.state = "alive";
    await a.turn();
    await until(async () => {
      await a.turn();
      return doubtOf(a, later) === null;
    });
    // Of rows that it may have placed before.
    expect(doubtOf(a)).toMatch("b has ended");
    for (const one of [a, b]) await one.stop();
  });

  test("lose a table that one of them deletes, with rows the other had not published", async () => {
    const [a, b] = await startTwo();
    await a.send(rowsText(10));
    await b.send(rowsText(7));
    const deleting = a.ledger.deleteTable(
      "t",
      leaves.map(({ id }) => id),
    );
    await b.turn();
    await b.turn();
    await deleting;
    for (const { id } of leaves) await a.ledger.dropped("t", id);
    for (const one of [b, a]) await one.turn();
    expect([expectedTotal(a), expectedTotal(b)]).toEqual([0, 0]);
    expect([a.ledger.tables(), b.ledger.tables(), b.ledger.drops.list()]).toEqual([[], [], []]);
    for (const one of [a, b]) await one.stop();
    // The next start does not take it for a deletion of what has come since.
    const again = await gateways.start("b");
    expect(again.ledger.own.drops.list()).toEqual([]);
    await again.stop();
  });

  test("have the rows of a hint at both once it is acknowledged", async () => {
    const [a, b] = await startTwo();
    for (const leaf of leaves) leaf.fates = ["gone before it"];
    // One of them dies, and the other keeps the hint.
    const sending = b.send(rowsText(10));
    while (leaves.every(({ state }) => state === "alive")) await new Promise(setImmediate);
    for (const leaf of leaves) leaf.fates = [];
    await sending;
    expect([expectedTotal(a), heldTotal()]).toEqual([10, 0]);
    // Newer rows of the leaf with the hint do not stand for them, whichever gateway is asked.
    const unseenBy = ({ ledger }: SharedGateway): readonly number[] =>
      [0, 60_000].map((fromMs) => ledger.unseen("t", fromMs, fromMs + 60_000));
    expect([unseenBy(a), unseenBy(b), a.ledger.unseen("other", 0, 60_000)]).toEqual([
      ...[[10, 0], [10, 0], 0],
    ]);
    for (const leaf of leaves) leaf.state = "alive";
    await b.ingest.resolvePending();
    for (const one of [b, a]) await one.turn();
    expect([heldTotal(), ...unseenBy(a), ...unseenBy(b)]).toEqual([10, 0, 0, 0, 0]);
    for (const one of [a, b]) await one.stop();
  });

  test("are not completed from a leaf with what the other gateway is about to add", async () => {
    const [a, b] = await startTwo();
    await b.send(rowsText(10));
    await a.audit.run();
    for (const one of [b, a]) await one.turn();
    expect([expectedTotal(a), expectedTotal(b), doubtOf(a)]).toEqual([10, 10, null]);
    expect(gateways.warnings).toEqual([]);
    for (const one of [a, b]) await one.stop();
  });

  test("are booked out by one, of whichever gateway the rows are", async () => {
    const [a, b] = await startTwo();
    leaves[1]!.state = "dead";
    await a.send(rowsText(10));
    await b.send(rowsText(7));
    for (const one of [b, a]) await one.turn();
    const rows = { minutes: [0], counts: [15] };
    const drop = { table: "t", leaf: "leaf-0", generations: [1] };
    const expiring = a.ledger.expire({ ...drop, rows });
    await b.turn();
    await b.turn();
    await expiring;
    expect([expectedTotal(a), expectedTotal(b)]).toEqual([2, 2]);
    expect(b.ledger.drops.list()).toEqual([drop]);
    await a.ledger.dropped("t", "leaf-0");
    await b.turn();
    expect(b.ledger.drops.list()).toEqual([]);
    await expect(b.ledger.expire({ ...drop, rows })).rejects.toThrow("Another gateway");
    for (const one of [a, b]) await one.stop();
  });

  test("are counted again where the registry has lost some", async () => {
    const [a, b] = await startTwo();
    await b.send(rowsText(10));
    for (const one of [b, a]) await one.turn();
    await b.stop();
    await gateways.registry.write((transaction) =>
      transaction.updateTable("ledger_hour").set({ checksum: "0" }).execute(),
    );
    await a.stop();
    const c = await gateways.start("c");
    expect(doubtOf(c)).toMatch("the registry has lost");
    await c.turn();
    await c.audit.settle(5_000);
    expect([expectedTotal(c), doubtOf(c)]).toEqual([10, null]);
    await c.stop();
  });

  test("F22: a key that comes again through the other gateway stores nothing twice", async () => {
    const [a, b] = await startTwo();
    await b.turn();
    await a.turn();
    await a.send(rowsText(10), "k");
    expect(await b.send(rowsText(10), "k")).toMatchObject({ accepted: 10, batchId: "k" });
    await expect(b.send(rowsText(11), "k")).rejects.toMatchObject({ code: "idempotency-conflict" });
    // A large body is dealt out over the leaves.
    await b.send(rowsText(3_000), "large");
    await a.send(rowsText(3_000), "large");
    await expect(a.send(rowsText(3_001), "large")).rejects.toMatchObject({
      code: "idempotency-conflict",
    });
    // Both at once: they choose the same leaf.
    for (let i = 0; i < 20; i++)
      await Promise.all([a, b].map((one) => one.send(rowsText(5, i * 60_000), `both-${i}`)));
    for (const one of [b, a, b]) await one.turn();
    expect([heldTotal(), expectedTotal(a), expectedTotal(b)]).toEqual([3_110, 3_110, 3_110]);
    for (const one of [a, b]) await one.stop();
  });

  test("count a key that comes again once, also where leaves are asked meanwhile what they have", async () => {
    const [a, b] = await startTwo();
    for (let i = 0; i < 5; i++) {
      await a.send(rowsText(10, i), `k${i}`);
      let isSent = false;
      const sending = b.send(rowsText(10, i), `k${i}`).finally(() => {
        isSent = true;
      });
      await until(async () => {
        await b.ingest.resolvePending();
        return isSent;
      });
      await sending;
    }
    for (const one of [a, b, a]) await one.turn();
    expect([expectedTotal(a), expectedTotal(b), heldTotal()]).toEqual([50, 50, 50]);
    for (const one of [a, b]) await one.stop();
  });

  test("a key is refused while the other gateway does not know whether a leaf has its rows", async () => {
    const [a, b] = await startTwo();
    for (const leaf of leaves) leaf.fates = ["gone before it"];
    const sending = b.send(rowsText(10), "k");
    sending.catch(() => undefined);
    await expect(sending).rejects.toMatchObject({ status: 503 });
    for (const one of [b, b, a]) await one.turn();
    for (const leaf of leaves) leaf.state = "alive";
    await expect(a.send(rowsText(10), "k")).rejects.toThrow("another gateway");
    await b.ingest.resolvePending();
    for (const one of [b, a]) await one.turn();
    await a.send(rowsText(10), "k");
    for (const one of [a, b]) await one.turn();
    expect([heldTotal(), expectedTotal(b)]).toEqual([10, 10]);
    for (const one of [a, b]) await one.stop();
  });

  test("F22: a key whose rows are on a leaf that is away stores nothing through another gateway", async () => {
    const [a, b] = await startTwo();
    for (const one of [a, b]) await one.turn();
    await a.send(rowsText(10), "k");
    const holder = leaves.find((leaf) => leaf.rowCount("t") > 0)!;
    holder.state = "dead";
    const inDoubt = { code: "key-in-doubt", status: 503, retry: true };
    await expect(b.send(rowsText(10), "k")).rejects.toMatchObject(inDoubt);
    // Of another key it is known that no gateway has stored it.
    await b.send(rowsText(5), "fresh");
    expect(heldTotal()).toBe(15);
    // A copy knows that it is stored.
    const copy = new AuditedLeaf(holder.id);
    for (const [id, batch] of holder.held) copy.held.set(id, batch);
    gateways.copies = [copy];
    await b.send(rowsText(10), "k");
    await expect(b.send(rowsText(11), "k")).rejects.toMatchObject({ code: "idempotency-conflict" });
    expect(heldTotal()).toBe(15);
    for (const one of [a, b]) await one.stop();
  });

  test("a key whose rows are on a leaf that a gateway does not know yet stores nothing through it", async () => {
    const a = await gateways.start("a");
    await a.audit.settle(2_000);
    const b = await gateways.start("b", leaves.slice(0, 1));
    for (const one of [a, b]) await one.turn();
    let stored = 0;
    for (; leaves[1]!.rowCount("t") === 0; stored++) await a.send(rowsText(10), `k${stored}`);
    const key = `k${stored - 1}`;
    await expect(b.send(rowsText(10), key)).rejects.toMatchObject({ code: "key-in-doubt" });
    await b.send(rowsText(10), "fresh");
    expect(heldTotal()).toBe(10 * stored + 10);
    for (const one of [a, b]) await one.stop();
  });

  test("a gateway that knows no leaf yet waits for one before it takes a key for new", async () => {
    const known: AuditedLeaf[] = [];
    const a = await gateways.start("a");
    await a.audit.settle(2_000);
    const b = await gateways.start("b", known);
    await a.send(rowsText(10), "k");
    const sending = b.send(rowsText(10), "k");
    for (let i = 0; i < 5; i++) await new Promise(setImmediate);
    known.push(...leaves);
    await sending;
    expect(heldTotal()).toBe(10);
    for (const one of [a, b]) await one.stop();
  });

  test("a key comes again through the other gateway with more rows or fewer: a conflict", async () => {
    const [a, b] = await startTwo();
    await a.send(rowsText(3_000), "many");
    await a.send(rowsText(10), "few");
    const conflict = { code: "idempotency-conflict" };
    await expect(b.send(rowsText(10), "many")).rejects.toMatchObject(conflict);
    await expect(b.send(rowsText(3_000), "few")).rejects.toMatchObject(conflict);
    expect(heldTotal()).toBe(3_010);
    for (const one of [a, b]) await one.stop();
  });

  test("F22: no key is taken for new while a gateway has ended and its leaf, without a copy, is away", async () => {
    const [a, b] = await startTwo();
    for (const one of [a, b]) await one.turn();
    await b.send(rowsText(10), "k");
    const holder = leaves.find((leaf) => leaf.rowCount("t") > 0)!;
    await b.kill();
    holder.state = "dead";
    const inDoubt = { code: "key-in-doubt" };
    // It is silent, and then its place is taken.
    await expect(a.send(rowsText(10), "k")).rejects.toMatchObject(inDoubt);
    await gateways.silence("b");
    for (const one of [a, a]) await one.turn();
    await expect(a.send(rowsText(10), "k")).rejects.toMatchObject(inDoubt);
    await expect(a.send(rowsText(5), "fresh")).rejects.toMatchObject(inDoubt);
    // Rows without a key come in.
    await a.send(rowsText(3));
    holder.state = "alive";
    await a.send(rowsText(10), "k");
    expect(heldTotal()).toBe(13);
    holder.state = "dead";
    gateways.copies = [new AuditedLeaf(holder.id)];
    await a.send(rowsText(5), "fresh");
    await a.stop();
  });

  test("leave no hours without rows, deletions or old keys in the registry", async () => {
    const [a, b] = await startTwo();
    await a.send(rowsText(10), "k");
    for (const one of [a, b, a]) await one.turn();
    const deleting = a.ledger.deleteTable("t", []);
    await b.turn();
    await deleting;
    await b.send(rowsText(7, 7_200_000), "later");
    for (const one of [a, b, a, b]) await one.turn();
    const kept = () =>
      gateways.registry.read(async (database) => [
        (await database.selectFrom("ledger_hour").select("hour").execute()).map(({ hour }) => hour),
        (await database.selectFrom("ledger_deletion").select("version").execute()).length,
        (await database.selectFrom("ledger_key").select("version").execute()).length,
      ]);
    expect(await kept()).toEqual([[0, 2], 1, 2]);
    await gateways.registry.write((transaction) =>
      transaction
        .updateTable("ledger_key")
        .set({ at_ms: 0 })
        .where("at_ms", "=", (eb) =>
          eb.selectFrom("ledger_key").select(eb.fn.min("at_ms").as("at")),
        )
        .execute(),
    );
    await purgeLedger(gateways.registry);
    expect(await kept()).toEqual([[2], 0, 1]);
    for (const one of [a, b]) await one.turn();
    expect([expectedTotal(a), expectedTotal(b)]).toEqual([7, 7]);
    for (const one of [a, b]) await one.stop();
  });
});
