import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowsText, startGateway, type TestGateway, withFolder } from "./testing/gateway.js";
import { type AppendFate, MemoryLeaf } from "./testing/memoryLeaf.js";

const leavesOf = (count: number) =>
  Array.from({ length: count }, (_, i) => new MemoryLeaf(`leaf-${i}`));
const allTime = [0, 1e15] as const;
const expectedTotal = (gateway: TestGateway, table = "t") =>
  [...gateway.ledger.expected(table, ...allTime).values()].reduce((sum, rows) => sum + rows, 0);

/** Runs a test with a gateway over fresh leaves. */
const withGateway = (
  leaves: readonly MemoryLeaf[],
  test: (gateway: TestGateway, folder: string) => Promise<void>,
) =>
  withFolder(async (folder) => {
    const gateway = await startGateway(folder, leaves);
    await test(gateway, folder).finally(() => gateway.stop());
  });

describe("an ingested request", () => {
  it("is answered row by row and counted where it was placed", async () => {
    const leaves = leavesOf(2);
    await withGateway(leaves, async (gateway) => {
      const reply = await gateway.send(`${rowsText(3)}\nbad\n`, "k1");
      expect(reply).toMatchObject({ batchId: "k1", accepted: 3, rejected: 1, ack: "durable" });
      expect(reply.problems).toMatchObject([{ line: 4, code: "invalid-json" }]);
      expect(leaves.map((leaf) => leaf.rowCount("t")).sort()).toEqual([0, 3]);
      const holder = leaves.find((leaf) => leaf.rowCount("t") > 0)!;
      expect([...gateway.ledger.expected("t", ...allTime)]).toEqual([[holder.id, 3]]);
      expect(gateway.ingest.counts()).toEqual({
        rowsAccepted: 3,
        rowsRejected: 1,
        batches: 1,
        batchesPending: 0,
        hintedBatches: 0,
        tables: [{ name: "t", accepted: 3, rejected: 1, late: 3, future: 0 }],
        load: { bytesHeld: 0, waiting: 0, refused: 0 },
      });
    });
  });

  it("whose first thousand rows are all wrong is not read further; with one valid row among them all problems are reported", async () => {
    await withGateway(leavesOf(1), async (gateway) => {
      const wrong = "{\n".repeat(2_000_000);
      const startedMs = performance.now();
      await expect(gateway.send(wrong)).rejects.toMatchObject({
        code: "rows-rejected",
        message: expect.stringMatching(/the first 1000 rejected.*was not read/),
        errors: expect.objectContaining({ length: 100 }),
      });
      expect(performance.now() - startedMs).toBeLessThan(2_000);
      const late = `${"{\n".repeat(999)}${rowsText(1)}\n${"{\n".repeat(1_500)}`;
      expect(await gateway.send(late)).toMatchObject({ accepted: 1, rejected: 2_499 });
    });
  });

  it("for a table beyond the limit is refused by the limit's name; existing tables take rows", async () => {
    await withGateway(leavesOf(1), async (gateway) => {
      for (const table of ["a", "b", "c"]) await gateway.send(rowsText(1), undefined, table);
      await expect(gateway.send(rowsText(1), undefined, "d")).rejects.toMatchObject({
        code: "bad-request",
        message: expect.stringContaining("3 tables already (tables)"),
      });
      expect(await gateway.send(rowsText(1), undefined, "a")).toMatchObject({ accepted: 1 });
    });
    // Tables that have settings and no rows count, too.
    await withGateway(leavesOf(1), async ({ ingest, send }) => {
      await send(rowsText(1), undefined, "a");
      expect(() => ingest.checkTables(["c"], ["a", "b"])).not.toThrow();
      expect(() => ingest.checkTables(["d"], ["b", "c"])).toThrow("3 tables already");
      expect(() => ingest.checkTables(["b"], ["b", "c", "d"])).not.toThrow();
    });
  });

  it("is cut into batches with ids that its key determines", async () => {
    const leaves = leavesOf(1);
    await withGateway(leaves, async (gateway) => {
      await gateway.send(rowsText(40_000), "k");
      expect([...leaves[0]!.held.keys()].sort()).toEqual(["t\nk/0", "t\nk/1", "t\nk/2"]);
    });
  });

  it("without any valid row stores nothing and reports every line", async () => {
    const leaves = leavesOf(1);
    await withGateway(leaves, async (gateway) => {
      await expect(gateway.send('{"x":1}\n\nbad')).rejects.toMatchObject({
        code: "rows-rejected",
        errors: [
          { line: 1, code: "time-missing" },
          { line: 3, column: 1, code: "invalid-json" },
        ],
      });
      await expect(gateway.send("\n")).rejects.toMatchObject({ code: "bad-request" });
      await expect(gateway.send(rowsText(1), undefined, "a\u0000")).rejects.toMatchObject({
        code: "invalid-name",
      });
      await expect(gateway.send(rowsText(1), "key with space")).rejects.toMatchObject({
        code: "bad-request",
      });
      expect(leaves[0]!.appends).toBe(0);
    });
  });
});

describe("a repeated request", () => {
  it("gets the same answer and no second copy, also after a restart", async () => {
    const leaves = leavesOf(3);
    await withFolder(async (folder) => {
      const body = `${rowsText(5)}\nbad`;
      const first = await startGateway(folder, leaves);
      const reply = await first.send(body, "k");
      expect(await first.send(body, "k")).toEqual(reply);
      expect(await Promise.all([first.send(body, "k"), first.send(body, "k")])).toEqual([
        reply,
        reply,
      ]);
      await first.stop();
      const second = await startGateway(folder, leaves);
      expect(await second.send(body, "k")).toEqual(reply);
      expect(leaves.reduce((sum, leaf) => sum + leaf.appends, 0)).toBe(1);
      expect(expectedTotal(second)).toBe(5);
      await second.stop();
    });
  });

  it("that only the leaf remembers is not counted again", async () => {
    const leaves = leavesOf(1);
    await withFolder(async (folder) => {
      const gateway = await startGateway(join(folder, "a"), leaves);
      const reply = await gateway.send(rowsText(5), "k");
      await gateway.stop();
      // It knows nothing of that key, as one that has forgotten it.
      const other = await startGateway(join(folder, "b"), leaves);
      expect(await other.send(rowsText(5), "k")).toEqual(reply);
      expect([expectedTotal(other), other.ledger.pending()]).toEqual([0, []]);
      expect(other.ledger.findKey("t", "k")?.batches.get("k/0")?.state).toBe("stored");
      await other.stop();
    });
  });

  it("sent twice at once is stored once", async () => {
    const leaves = leavesOf(2);
    await withGateway(leaves, async (gateway) => {
      const body = rowsText(10);
      await Promise.all(Array.from({ length: 5 }, () => gateway.send(body, "k")));
      expect(leaves.reduce((sum, leaf) => sum + leaf.appends, 0)).toBe(1);
      expect(expectedTotal(gateway)).toBe(10);
    });
  });

  it("with other bytes is a conflict, with fewer batches too; another table has separate keys", async () => {
    const leaves = leavesOf(1);
    await withGateway(leaves, async (gateway) => {
      await gateway.send(rowsText(20_000), "k");
      for (const rows of [1, 16_384, 20_001]) {
        await expect(gateway.send(rowsText(rows), "k")).rejects.toMatchObject({
          code: "idempotency-conflict",
        });
      }
      await gateway.send(rowsText(1), "k", "other");
      expect(leaves[0]!.held.size).toBe(3);
    });
  });
});

describe("a repeated request with ack=received", () => {
  const withReceived = (
    leaves: readonly MemoryLeaf[],
    test: (gateway: TestGateway, restart: () => Promise<TestGateway>) => Promise<void>,
  ) =>
    withFolder(async (folder) => {
      const start = () => startGateway(folder, leaves, Math.random, { ack: "received" });
      let gateway = await start();
      await test(gateway, async () => {
        await gateway.stop();
        gateway = await start();
        return gateway;
      });
      await gateway.stop();
    });
  const heldTotal = (leaves: readonly MemoryLeaf[]) =>
    leaves.reduce((sum, leaf) => sum + leaf.rowCount("t"), 0);

  it.each([10, 3_000])(
    "stores %d rows again that their leaf has lost, and counts them once",
    async (rows) => {
      const leaves = leavesOf(3);
      await withReceived(leaves, async (first, restart) => {
        await first.send(rowsText(rows), "k");
        await first.send(rowsText(rows), "k");
        expect(heldTotal(leaves)).toBe(rows);
        // The gateway ends, too.
        const gateway = await restart();
        const loser = leaves.find((leaf) => leaf.rowCount("t") > 0)!;
        loser.held.clear();
        expect(heldTotal(leaves)).toBeLessThan(rows);
        await gateway.send(rowsText(rows), "k");
        await gateway.send(rowsText(rows), "k");
        expect([heldTotal(leaves), expectedTotal(gateway)]).toEqual([rows, rows]);
        for (const leaf of leaves)
          expect(gateway.ledger.expected("t", ...allTime).get(leaf.id) ?? 0).toBe(
            leaf.rowCount("t"),
          );
        await expect(gateway.send(rowsText(rows + 1), "k")).rejects.toMatchObject({
          code: "idempotency-conflict",
        });
      });
    },
  );

  it("is refused while its leaf cannot say whether it has the rows", async () => {
    const leaves = leavesOf(2);
    await withReceived(leaves, async (gateway) => {
      await gateway.send(rowsText(10), "k");
      const holder = leaves.find((leaf) => leaf.rowCount("t") > 0)!;
      holder.state = "dead";
      await expect(gateway.send(rowsText(10), "k")).rejects.toMatchObject({
        code: "leaf-unreachable",
      });
      holder.state = "alive";
      await gateway.send(rowsText(10), "k");
      expect(heldTotal(leaves)).toBe(10);
    });
  });
});

describe("a leaf that fails", () => {
  it("is skipped when it is full; when all are, the client gets the problem", async () => {
    const [full, free] = [new MemoryLeaf("full"), new MemoryLeaf("free")];
    full.freeBytes = 2e9;
    full.fates = ["full", "full"];
    await withGateway([full, free], async (gateway) => {
      await gateway.send(rowsText(2));
      expect([full.rowCount("t"), free.rowCount("t")]).toEqual([0, 2]);
      free.fates = ["full"];
      await expect(gateway.send(rowsText(2))).rejects.toMatchObject({ code: "storage-full" });
      expect(gateway.ledger.pending()).toEqual([]);
      expect(expectedTotal(gateway)).toBe(2);
    });
  });

  it("is asked for its batches when an answer was lost, before anything is sent again", async () => {
    const leaf = new MemoryLeaf("leaf");
    leaf.fates = ["answer lost", "request lost", "stored"];
    await withGateway([leaf], async (gateway) => {
      await gateway.send(rowsText(2), "a");
      expect([leaf.appends, leaf.holdsAsked]).toEqual([1, 1]);
      await gateway.send(rowsText(3), "b");
      expect([leaf.appends, leaf.holdsAsked]).toEqual([3, 2]);
      expect([leaf.rowCount("t"), expectedTotal(gateway)]).toEqual([5, 5]);
    });
  });

  it.each(["answer lost", "request lost"] as const)(
    "and is gone (%s) keeps its batch from going elsewhere until it is back, where no other can keep a hint",
    async (fate) => {
      const [lost, other] = [new MemoryLeaf("lost"), new MemoryLeaf("other")];
      other.freeBytes = 0;
      other.refusesHints = true;
      lost.fates = [fate];
      await withFolder(async (folder) => {
        const gateway = await startGateway(folder, [lost, other]);
        const request = lost.request.bind(lost);
        lost.request = async (...parameters) => {
          const answer = request(...parameters);
          await answer.catch(() => {
            lost.state = "dead";
          });
          return answer;
        };
        const body = rowsText(4);
        await expect(gateway.send(body, "k")).rejects.toMatchObject({
          code: "leaf-unreachable",
          retry: true,
        });
        await expect(gateway.send(body, "k")).rejects.toMatchObject({ code: "leaf-unreachable" });
        expect([other.appends, gateway.ledger.pending().length, expectedTotal(gateway)]).toEqual([
          0, 1, 0,
        ]);
        await gateway.stop();

        // A restarted gateway knows too.
        const restarted = await startGateway(folder, [lost, other]);
        await expect(restarted.send(body, "k")).rejects.toMatchObject({ code: "leaf-unreachable" });
        expect(other.appends).toBe(0);
        lost.state = "alive";
        expect(await restarted.send(body, "k")).toMatchObject({ accepted: 4 });
        expect(lost.rowCount("t") + other.rowCount("t")).toBe(4);
        expect(expectedTotal(restarted)).toBe(4);
        await restarted.stop();
      });
    },
  );

  it.each(["answer lost", "request lost"] as const)(
    "and is silent (%s) has its batch hinted on another leaf, and decides when it is back",
    async (fate) => {
      const [lost, other] = [new MemoryLeaf("lost"), new MemoryLeaf("other")];
      other.freeBytes = 0;
      lost.fates = [fate];
      await withFolder(async (folder) => {
        const gateway = await startGateway(folder, [lost, other]);
        const request = lost.request.bind(lost);
        lost.request = async (...parameters) => {
          const answer = request(...parameters);
          await answer.catch(() => {
            lost.state = "dead";
          });
          return answer;
        };
        const body = rowsText(4);
        const reply = await gateway.send(body, "k");
        expect(reply).toMatchObject({ accepted: 4 });
        expect(await gateway.send(body, "k")).toEqual(reply);
        // Out of sight of queries, and expected: completeness is not too high.
        expect([other.appends, other.rowCount("t"), other.hints.size]).toEqual([0, 0, 1]);
        expect([...gateway.ledger.expected("t", ...allTime)]).toEqual([["other", 4]]);
        await gateway.stop();

        const restarted = await startGateway(folder, [lost, other]);
        expect(await restarted.send(body, "k")).toEqual(reply);
        expect([...restarted.ledger.expected("t", ...allTime)]).toEqual([["other", 4]]);
        expect(await restarted.ingest.resolvePending()).toBe(1);
        lost.state = "alive";
        expect(await restarted.ingest.resolvePending()).toBe(0);
        const holder = fate === "answer lost" ? "lost" : "other";
        expect([lost.rowCount("t"), other.rowCount("t")]).toEqual(
          holder === "lost" ? [4, 0] : [0, 4],
        );
        expect([...restarted.ledger.expected("t", ...allTime)].filter(([, n]) => n > 0)).toEqual([
          [holder, 4],
        ]);
        await restarted.ingest.resolvePending();
        expect([other.hints.size, restarted.ledger.hints.list()]).toEqual([0, []]);
        expect(await restarted.send(body, "k")).toEqual(reply);
        expect(lost.rowCount("t") + other.rowCount("t")).toBe(4);
        await restarted.stop();
      });
    },
  );

  it("is asked in the background after a restart", async () => {
    const leaf = new MemoryLeaf("leaf");
    leaf.fates = ["answer lost"];
    await withFolder(async (folder) => {
      const gateway = await startGateway(folder, [leaf]);
      const request = leaf.request.bind(leaf);
      leaf.request = (...parameters) =>
        request(...parameters).finally(() => {
          leaf.state = "dead";
        });
      await expect(gateway.send(rowsText(4))).rejects.toMatchObject({ code: "leaf-unreachable" });
      await gateway.stop();
      leaf.request = request;
      leaf.state = "alive";
      const restarted = await startGateway(folder, [leaf]);
      expect(expectedTotal(restarted)).toBe(0);
      expect(await restarted.ingest.resolvePending()).toBe(0);
      expect(expectedTotal(restarted)).toBe(4);
      await restarted.stop();
    });
  });

  it("decides nothing about a later attempt of a batch with an answer about an earlier one", async () => {
    const leaf = new MemoryLeaf("leaf");
    await withGateway([leaf], async ({ ledger, ingest }) => {
      const intent = {
        ...{ table: "t", batchId: "k/0", contentHash: "hash", leaf: leaf.id },
        ...{ key: "k", requestHash: "request", rows: { minutes: [0], counts: [3] }, atMs: 1 },
      };
      await ledger.begin(intent);
      const resolving = ingest.resolvePending();
      // Before the answer "I do not hold it" arrives, another request got it and sent the batch again.
      ledger.settle("t", "k/0", "refused");
      await ledger.begin({ ...intent, atMs: 2 });
      expect(await resolving).toBe(1);
      expect(ledger.findPending("t", "k/0")?.atMs).toBe(2);
    });
  });

  it("is not asked without a pause, nor without an end, when it is reachable and stores nothing", async () => {
    const leaf = new MemoryLeaf("leaf");
    leaf.fates = Array.from({ length: 200 }, () => "request lost" as const);
    await withGateway([leaf], async (gateway) => {
      await expect(gateway.send(rowsText(1), "k")).rejects.toMatchObject({
        code: "unavailable",
        retry: true,
      });
      // Twice as long each time, up to half a second, for 15 of them.
      expect(leaf.appends).toBeGreaterThan(10);
      expect(leaf.appends).toBeLessThan(50);
      leaf.fates = [];
      expect(await gateway.send(rowsText(1), "k")).toMatchObject({ accepted: 1 });
    });
  });

  it("gives the client a problem when there is no leaf at all", async () => {
    const leaf = new MemoryLeaf("leaf");
    leaf.state = "dead";
    await withGateway([leaf], async (gateway) => {
      await expect(gateway.send(rowsText(1))).rejects.toMatchObject({
        code: "unavailable",
        retry: true,
      });
    });
  });

  it("in the middle of a request, of an older version, is reported with the stored rows; a repetition stores the rest", async () => {
    const leaf = new MemoryLeaf("leaf");
    leaf.takesUnits = false;
    leaf.fates = ["stored", "full"];
    await withGateway([leaf], async (gateway) => {
      const body = rowsText(20_000);
      await expect(gateway.send(body, "k")).rejects.toMatchObject({
        code: "storage-full",
        errors: [{ code: "partly-stored" }],
        message: /16384 of 20000|3616 of 20000/,
      });
      expect(await gateway.send(body, "k")).toMatchObject({ accepted: 20_000 });
      expect([leaf.appends, leaf.rowCount("t"), expectedTotal(gateway)]).toEqual([
        3, 20_000, 20_000,
      ]);
    });
  });
});

describe("any faults and restarts", () => {
  const fate = fc.constantFrom<AppendFate>(
    ...(["stored", "answer lost", "request lost", "full"] as const),
    ...(["gone after it", "gone before it"] as const),
  );
  const step = fc.record({
    key: fc.constantFrom("a", "b", "c", "d"),
    restart: fc.boolean(),
    away: fc.constantFrom(null, null, 0, 1, 2),
    fates: fc.array(fc.array(fate, { maxLength: 3 }), { minLength: 3, maxLength: 3 }),
  });
  /** Small bodies go whole, large ones are dealt out. */
  const rowsOf = (key: string): number => (key < "c" ? 3 : 1_100);
  const firstMsOf = (key: string): number => key.charCodeAt(0) * 1e8;

  it("never lose, double or miscount an acknowledged row", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        async (steps, chances) => {
          const leaves = leavesOf(3);
          const random = () => chances.next().value as number;
          await withFolder(async (folder) => {
            let gateway = await startGateway(folder, leaves, random);
            const acknowledged = new Set<string>();
            for (const { key, restart, fates, away } of steps) {
              leaves.forEach((leaf, i) => {
                leaf.fates = [...fates[i]!];
                leaf.state = i === away ? "dead" : "alive";
              });
              await gateway.ingest.resolvePending();
              try {
                await gateway.send(rowsText(rowsOf(key), firstMsOf(key)), key);
                acknowledged.add(key);
                const rows = [...acknowledged].reduce((sum, one) => sum + rowsOf(one), 0);
                expect(expectedTotal(gateway)).toBeGreaterThanOrEqual(rows);
              } catch (error) {
                expect(error).toMatchObject({ retry: true });
              }
              if (!restart) continue;
              await gateway.stop();
              gateway = await startGateway(folder, leaves, random);
            }
            for (const leaf of leaves) [leaf.state, leaf.fates] = ["alive", []];
            // A hint is dropped in the round after the batch was decided.
            for (let round = 0; round < 3; round++) await gateway.ingest.resolvePending();
            for (const leaf of leaves) expect(leaf.hints.size).toBe(0);
            const times = leaves.flatMap((leaf) =>
              [...leaf.held.values()].flatMap((batch) => [...batch.times]),
            );
            const held = new Set(times);
            expect(held.size).toBe(times.length);
            for (const key of acknowledged) {
              const missing = Array.from(
                { length: rowsOf(key) },
                (_, i) => firstMsOf(key) + i * 1_000,
              ).filter((time) => !held.has(time));
              expect([key, missing]).toEqual([key, []]);
            }
            const expected = gateway.ledger.expected("t", ...allTime);
            for (const leaf of leaves) expect(expected.get(leaf.id) ?? 0).toBe(leaf.rowCount("t"));
            await gateway.stop();
          });
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe("a body of more than 1,024 rows", () => {
  const sizesOf = (leaves: readonly MemoryLeaf[]) => leaves.map((leaf) => leaf.rowCount("t"));
  const appendsOf = (leaves: readonly MemoryLeaf[]) =>
    leaves.reduce((sum, leaf) => sum + leaf.appends, 0);

  it("is dealt out row by row over all leaves; one of 1,024 goes whole to one", async () => {
    const leaves = leavesOf(4);
    await withGateway(leaves, async (gateway) => {
      await gateway.send(rowsText(1_024));
      expect(sizesOf(leaves).sort()).toEqual([0, 0, 0, 1_024]);
    });
    const others = leavesOf(4);
    await withGateway(others, async (gateway) => {
      const reply = await gateway.send(`${rowsText(1_280)}\nbad`, "k");
      expect(reply).toMatchObject({ accepted: 1_280, rejected: 1, problems: [{ line: 1_281 }] });
      expect(sizesOf(others)).toEqual([320, 320, 320, 320]);
      // 64 rows, of which each leaf holds a sixteenth of every minute or so: none holds neighbours
      // only.
      for (const leaf of others) {
        const times = [...leaf.held.values()].flatMap((batch) => [...batch.times]);
        for (let minute = 0; minute < 21; minute++) {
          const rows = times.filter((time) => Math.floor(time / 60_000) === minute).length;
          expect(Math.abs(rows - 15)).toBeLessThan(13);
        }
      }
      const expected = gateway.ledger.expected("t", ...allTime);
      expect(new Set(expected.values())).toEqual(new Set([320]));
    });
  });

  it("goes to eight leaves at most, and to none that is full", async () => {
    const leaves = leavesOf(12);
    for (const leaf of leaves.slice(0, 2)) leaf.freeBytes = 0;
    await withGateway(leaves, async (gateway) => {
      await gateway.send(rowsText(6_400));
      const sizes = sizesOf(leaves);
      expect(sizes.slice(0, 2)).toEqual([0, 0]);
      expect(sizes.filter((rows) => rows === 800)).toHaveLength(8);
    });
  });

  it("keeps its parts where they are when it comes again with other leaves, also after a restart", async () => {
    const leaves = leavesOf(3);
    await withFolder(async (folder) => {
      const body = rowsText(20_000);
      const first = await startGateway(folder, leaves);
      const reply = await first.send(body, "k");
      await first.stop();
      const more = [...leaves, ...leavesOf(5).slice(3)];
      const second = await startGateway(folder, more);
      for (const leaf of more.slice(3)) leaf.freeBytes = 5e9;
      expect(await second.send(body, "k")).toEqual(reply);
      expect(appendsOf(more)).toBe(6);
      expect(expectedTotal(second)).toBe(20_000);
      await second.stop();
    });
  });

  it("stores only the missing rows when it comes again, on the present leaves", async () => {
    const [stays, full, later] = leavesOf(3);
    await withFolder(async (folder) => {
      const body = rowsText(6_400);
      // Others store all of it or nothing.
      stays!.takesUnits = false;
      stays!.fates = ["stored", "full"];
      full!.fates = ["full"];
      const first = await startGateway(folder, [stays!, full!]);
      await expect(first.send(body, "k")).rejects.toMatchObject({
        code: "storage-full",
        errors: [{ code: "partly-stored" }],
        message: expect.stringContaining("3200 of 6400"),
      });
      await first.stop();
      const second = await startGateway(folder, [later!]);
      expect(await second.send(body, "k")).toMatchObject({ accepted: 6_400 });
      const times = [stays!, full!, later!].flatMap((leaf) =>
        [...leaf.held.values()].flatMap((batch) => [...batch.times]),
      );
      expect([times.length, new Set(times).size]).toEqual([6_400, 6_400]);
      expect(later!.rowCount("t")).toBe(3_200);
      await second.stop();
    });
  });

  it("waits for a leaf when there is none", async () => {
    const [leaf] = leavesOf(1);
    leaf!.state = "dead";
    await withGateway([leaf!], async (gateway) => {
      await expect(gateway.send(rowsText(2_000))).rejects.toMatchObject({ code: "unavailable" });
      const sending = gateway.send(rowsText(2_000));
      leaf!.state = "alive";
      expect(await sending).toMatchObject({ accepted: 2_000 });
    });
  });
});

describe("rows for a table that is being deleted", () => {
  const turn = () => new Promise((resolve) => setImmediate(resolve));

  it("wait until a leaf has dropped it, and are stored then", async () => {
    const [leaf] = leavesOf(1);
    await withGateway([leaf!], async (gateway) => {
      await gateway.ledger.deleteTable("t", [leaf!.id]);
      const sending = gateway.send(rowsText(3));
      for (let i = 0; i < 5; i++) await turn();
      expect(leaf!.appends).toBe(0);
      gateway.ledger.dropped("t", leaf!.id);
      expect(await sending).toMatchObject({ accepted: 3 });
      expect(expectedTotal(gateway)).toBe(3);
    });
  });

  it("are not sent to a leaf that must drop the table between intent and sending", async () => {
    const [leaf] = leavesOf(1);
    await withFolder(async (folder) => {
      let choices = 0;
      const gateway = await startGateway(folder, [leaf!], () => {
        choices++;
        return 0;
      });
      const sending = gateway.send(rowsText(3));
      while (gateway.ledger.pending().length === 0) await turn();
      const deleting = gateway.ledger.deleteTable("t", [leaf!.id]);
      const chosenOnce = choices;
      while (choices === chosenOnce && leaf!.appends === 0) await turn();
      // What came now would go with the rows that are to be dropped.
      expect(leaf!.appends).toBe(0);
      gateway.ledger.dropped("t", leaf!.id);
      expect(await sending).toMatchObject({ accepted: 3 });
      expect(leaf!.rowCount("t")).toBe(3);
      expect(expectedTotal(gateway)).toBe(3);
      await deleting;
      await gateway.stop();
    });
  });
});
