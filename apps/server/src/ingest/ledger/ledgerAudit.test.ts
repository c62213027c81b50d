import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AuditedLeaf } from "../testing/auditedLeaf.js";
import { rowsText, startGateway, type TestGateway, withFolder } from "../testing/gateway.js";
import { LedgerAudit } from "./ledgerAudit.js";
import { countMinutes } from "./minuteCounts.js";

const allTime = [0, 1e15] as const;
const leavesOf = (count: number) =>
  Array.from({ length: count }, (_, i) => new AuditedLeaf(`leaf-${i}`));

interface Guarded extends TestGateway {
  readonly audit: LedgerAudit;
  readonly warnings: readonly string[];
}

/** What a test wants it to be, where it could be. */
let areHintsKnown = true;

async function start(
  folder: string,
  leaves: readonly AuditedLeaf[],
  leavesLeftOut: readonly string[] = [],
): Promise<Guarded> {
  const warnings: string[] = [];
  const gateway = await startGateway(folder, leaves, Math.random, {
    ...{ warnings, isCompared: false },
  });
  const clock = { nowMs: 1_000 };
  const audit = new LedgerAudit({
    leaves: () => leaves,
    leavesLeftOut,
    ledger: gateway.ledger,
    settlePending: () => gateway.ingest.resolvePending(),
    areHintsKnown: () => areHintsKnown && gateway.ingest.areHintsKnown(),
    nowMs: () => clock.nowMs,
    sleep: async (ms) => {
      clock.nowMs += ms;
    },
    warn: (text) => warnings.push(text),
  });
  return { ...gateway, audit, warnings };
}

/** Runs a test with a gateway that has compared its new ledger. */
const withGuarded = (
  leaves: readonly AuditedLeaf[],
  test: (gateway: Guarded, folder: string) => Promise<void>,
) =>
  withFolder(async (folder) => {
    const gateway = await start(folder, leaves);
    await gateway.audit.settle(100);
    await test(gateway, folder).finally(() => gateway.stop());
  });

const expectedOn = ({ ledger }: TestGateway, leaf: AuditedLeaf): number =>
  ledger.expected("t", ...allTime).get(leaf.id) ?? 0;

describe("a comparison of the ledger with leaves", () => {
  it("changes nothing while both agree, and requests no minutes", async () => {
    const leaves = leavesOf(2);
    await withGuarded(leaves, async (gateway) => {
      await gateway.send(rowsText(5_000));
      await gateway.audit.run();
      expect(gateway.audit.report()).toMatchObject({ state: "whole", lostRows: [], doubts: [] });
      expect(leaves.map(({ minutesAsked }) => minutesAsked)).toEqual([0, 0]);
      // A first start is no news.
      expect(gateway.warnings).toEqual([]);
    });
  });

  it("does not end a doubt before all hinted batches are known", async () => {
    const leaves = leavesOf(2);
    await withFolder(async (folder) => {
      const gateway = await start(folder, leaves);
      areHintsKnown = false;
      await gateway.audit.settle(100);
      expect(gateway.audit.report()).toMatchObject({ state: "rebuilding" });
      areHintsKnown = true;
      await gateway.audit.settle(100);
      expect(gateway.audit.report()).toMatchObject({ state: "whole" });
      await gateway.stop();
    });
  });

  it("is reported as done once every leaf was compared, not some of them", async () => {
    const [one, other] = leavesOf(2);
    await withFolder(async (folder) => {
      const gateway = await start(folder, [one!, other!]);
      other!.state = "dead";
      await gateway.audit.run();
      expect(gateway.audit.report().comparedMs).toBeNull();
      other!.state = "alive";
      await gateway.audit.run();
      expect(gateway.audit.report().comparedMs).not.toBeNull();
      await gateway.stop();
    });
  });

  it("counts rows that a leaf has and the ledger lacks, over many days", async () => {
    const leaves = leavesOf(2);
    await withFolder(async (folder) => {
      const first = await start(join(folder, "a"), leaves);
      for (let day = 0; day < 40; day++) await first.send(rowsText(3, day * 86_400_000));
      await first.send(rowsText(5_000, 1e9));
      await first.stop();
      const second = await start(join(folder, "b"), leaves);
      expect(second.ledger.doubt("t", 0)).toBe("the row-count ledger is new");
      await second.audit.settle(100);
      for (const leaf of leaves) expect(expectedOn(second, leaf)).toBe(leaf.rowCount("t"));
      expect(second.ledger.doubt("t", 0)).toBeNull();
      await second.stop();
    });
  });

  it("keeps expecting rows that a leaf has lost, and names them", async () => {
    const [leaf] = leavesOf(1);
    await withGuarded([leaf!], async (gateway) => {
      await gateway.send(rowsText(3));
      await gateway.send(rowsText(4, 1e9));
      leaf!.lose("silent");
      await gateway.audit.run();
      leaf!.lose("counted");
      await gateway.audit.run();
      await gateway.audit.run();
      expect(expectedOn(gateway, leaf!)).toBe(7);
      const lost = { leaf: "leaf-0", table: "t", rows: 7 };
      expect(gateway.audit.report().lostRows).toEqual([
        { ...lost, reason: "segment-1.hds could not be read" },
      ]);
      const losses = gateway.warnings.filter((text) => text.includes("has lost"));
      expect(losses).toEqual([
        "leaf-0 has lost 3 rows of t: they are not in its files",
        "leaf-0 has lost 7 rows of t: segment-1.hds could not be read",
      ]);
      expect(gateway.ledger.damage).toBeNull();
    });
  });

  it("does not take a batch on its way, or one that has just come, for a difference", async () => {
    const [leaf] = leavesOf(1);
    await withGuarded([leaf!], async (gateway) => {
      await gateway.send(rowsText(3));
      const request = leaf!.request.bind(leaf!);
      // Before any answer is back another batch is stored, and counted.
      leaf!.request = async (asked, body) => {
        const answer = await request(asked, body);
        if (asked.kind === "holdings" || asked.kind === "heldMinutes")
          await gateway.ledger
            .begin({
              ...{ table: "t", batchId: `b-${asked.kind}`, contentHash: "", leaf: leaf!.id },
              ...{ key: null, requestHash: "", atMs: 0, rows: countMinutes(Float64Array.of(1)) },
            })
            .then(() => gateway.ledger.settle("t", `b-${asked.kind}`, "stored"));
        return answer;
      };
      await gateway.audit.run();
      expect(gateway.audit.report().lostRows).toEqual([]);
      expect(gateway.ledger.damage).toBeNull();
    });
  });

  it("reports columns that a leaf cannot read, whose rows stay counted", async () => {
    const [leaf] = leavesOf(1);
    await withGuarded([leaf!], async (gateway) => {
      await gateway.send(rowsText(3));
      leaf!.lostColumns = [{ column: "x", rows: 2, reason: "segment-1.hds is damaged" }];
      await gateway.audit.run();
      expect(gateway.audit.report()).toMatchObject({
        lostRows: [],
        lostColumns: [
          {
            ...{ leaf: "leaf-0", table: "t", column: "x" },
            rows: 2,
            reason: "segment-1.hds is damaged",
          },
        ],
      });
      leaf!.lostColumns = [];
      await gateway.audit.run();
      expect(gateway.audit.report().lostColumns).toEqual([]);
    });
  });

  it("skips a table that is being removed", async () => {
    const [leaf] = leavesOf(1);
    await withGuarded([leaf!], async (gateway) => {
      await gateway.send(rowsText(3));
      await gateway.ledger.expire({
        ...{ table: "t", leaf: leaf!.id, generations: [1] },
        rows: countMinutes(Float64Array.of(0, 1_000, 2_000)),
      });
      await gateway.audit.run();
      expect(expectedOn(gateway, leaf!)).toBe(0);
      expect(gateway.ledger.damage).toBeNull();
    });
  });

  it("distrusts all leaves' counts once those of one are short, until each is compared", async () => {
    const leaves = leavesOf(2);
    await withGuarded(leaves, async (gateway) => {
      await gateway.send(rowsText(2_000));
      leaves[1]!.state = "dead";
      // As if the last lines of the journal were gone.
      leaves[0]!.held.set("t\nforgotten", { contentHash: "", times: Float64Array.of(1, 2) });
      await gateway.audit.run();
      expect(expectedOn(gateway, leaves[0]!)).toBe(leaves[0]!.rowCount("t"));
      expect(gateway.ledger.doubt("t", 0)).toMatch(/lacked 2 rows of t on leaf-0/);
      await gateway.audit.run();
      expect(gateway.audit.report().reason).toMatch(/waiting for leaf-1$/);
      leaves[1]!.state = "alive";
      await gateway.audit.runIfDue();
      expect(gateway.ledger.doubt("t", 0)).toBeNull();
    });
  });

  it("looks again at tables that were compared before the damage was found", async () => {
    const [leaf] = leavesOf(1);
    await withGuarded([leaf!], async (gateway) => {
      const request = leaf!.request.bind(leaf!);
      leaf!.request = async (asked, body) => {
        const { header } = await request(asked, body);
        if (header.kind !== "holdings") return { header };
        const loss = { rowsLost: 0, lostBecause: null, unknownLoss: "log-1.hdl is damaged" };
        return {
          header: { ...header, tables: [{ name: "u", hash: 0, ...loss }, ...header.tables] },
        };
      };
      leaf!.held.set("t\nforgotten", { contentHash: "", times: Float64Array.of(1, 2) });
      await gateway.audit.settle(100);
      expect(gateway.ledger.damage).toBeNull();
      expect(gateway.ledger.doubt("u", 0)).toMatch(/on leaf-0 log-1\.hdl is damaged/);
    });
  });

  it("does not know the share when a leaf with rows is left out", async () => {
    const [leaf] = leavesOf(1);
    await withFolder(async (folder) => {
      const gateway = await start(folder, [leaf!], ["leaf-7"]);
      await gateway.audit.settle(100);
      expect(gateway.audit.report()).toMatchObject({
        state: "rebuilding",
        reason: "the row-count ledger is new; waiting for leaf-7",
      });
      await gateway.stop();
    });
  });

  it("knows the rows after the damage, where it does not know those before", async () => {
    const [leaf] = leavesOf(1);
    await withFolder(async (folder) => {
      const first = await start(join(folder, "a"), [leaf!]);
      await first.send(rowsText(3));
      await first.stop();
      leaf!.lose("unknown");
      const second = await start(join(folder, "b"), [leaf!]);
      await second.audit.settle(100);
      const [doubt] = second.audit.report().doubts;
      expect(doubt?.reason).toBe(
        "the row-count ledger is new, and on leaf-0 log-1.hdl is damaged: an unknown number of rows is lost",
      );
      expect(second.ledger.doubt("t", 0)).toBe(doubt?.reason);
      expect(second.ledger.doubt("other", 0)).toBeNull();
      expect(second.ledger.doubt("t", Date.now() + 660_000)).toBeNull();
      await second.stop();
      // It stays so after a restart, until the table goes.
      const third = await start(join(folder, "b"), [leaf!]);
      expect(third.ledger.doubt("t", 0)).toBe(doubt?.reason);
      await third.ledger.deleteTable("t", [leaf!.id]);
      expect(third.ledger.doubt("t", 0)).toBeNull();
      await third.stop();
    });
  });
});

describe("a request that comes again after the ledger has lost its key", () => {
  const bodies = [rowsText(3), rowsText(2_000)];

  it.each(bodies)("is found on the leaves, and stores nothing twice", async (body) => {
    const leaves = leavesOf(3);
    await withFolder(async (folder) => {
      const first = await start(join(folder, "a"), leaves);
      await first.audit.settle(100);
      const reply = await first.send(body, "k");
      await first.stop();
      const held = leaves.map((leaf) => leaf.rowCount("t"));
      const second = await start(join(folder, "b"), leaves);
      // Before, and after, the leaves have been compared.
      expect(await second.send(body, "k")).toEqual(reply);
      await second.audit.settle(100);
      expect(await second.send(body, "k")).toEqual(reply);
      expect(leaves.map((leaf) => leaf.rowCount("t"))).toEqual(held);
      for (const leaf of leaves) expect(expectedOn(second, leaf)).toBe(leaf.rowCount("t"));
      await expect(second.send(rowsText(4), "k")).rejects.toMatchObject({
        code: "idempotency-conflict",
      });
      await second.stop();
    });
  });

  it("is a conflict with other rows, and waits for a leaf that cannot be asked", async () => {
    const leaves = leavesOf(2);
    await withFolder(async (folder) => {
      const first = await start(join(folder, "a"), leaves);
      await first.send(rowsText(3), "k");
      await first.stop();
      const second = await start(join(folder, "b"), leaves);
      await expect(second.send(rowsText(3, 60_000), "k")).rejects.toMatchObject({
        code: "idempotency-conflict",
      });
      leaves[0]!.state = "dead";
      await expect(second.send(rowsText(3), "k")).rejects.toMatchObject({
        code: "leaf-unreachable",
        retry: true,
      });
      // One without a key is always new.
      expect(await second.send(rowsText(3))).toMatchObject({ accepted: 3 });
      await second.stop();
    });
  });

  it("asks no leaf once a first start has been compared", async () => {
    const leaves = leavesOf(2);
    await withGuarded(leaves, async (gateway) => {
      await gateway.send(rowsText(3), "k");
      expect(leaves.map(({ holdsAsked }) => holdsAsked)).toEqual([0, 0]);
    });
  });
});

describe("any damage to the ledger and losses of leaves", () => {
  const damage = fc.record({
    kind: fc.constantFrom("none", "flip", "flip", "delete", "delete all"),
    at: fc.nat(1e6),
    bit: fc.nat(7),
    file: fc.nat(9),
  });
  const step = fc.record({
    sends: fc.nat(2),
    loses: fc.constantFrom(null, null, null, "counted", "counted", "unknown"),
    away: fc.constantFrom(null, null, 0, 1),
    restart: fc.option(damage, { nil: null }),
  });

  async function spoil(
    folder: string,
    { kind, at, bit, file }: typeof damage extends fc.Arbitrary<infer T> ? T : never,
  ) {
    const names = (await readdir(folder)).filter((name) => !name.endsWith(".damaged")).sort();
    if (kind === "delete all") for (const name of names) await rm(join(folder, name));
    if (kind === "none" || kind === "delete all") return;
    // Without the last journal only leaves that are there show that there were events.
    const last = Math.max(...names.map((name) => Number(/journal-(\d+)/.exec(name)?.[1] ?? 0)));
    const others = names.filter((name) => kind === "flip" || name !== `journal-${last}.log`);
    const name = others[file % Math.max(1, others.length)];
    if (name === undefined) return;
    const path = join(folder, name);
    if (kind === "delete") return rm(path);
    const bytes = await readFile(path);
    if (bytes.length === 0) return;
    bytes[at % bytes.length]! ^= 1 << bit;
    await writeFile(path, bytes);
  }

  it("never make the share too high, and leave it right where everything can be known", async () => {
    let healed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), (steps) =>
        withFolder(async (folder) => {
          const leaves = leavesOf(2);
          let gateway = await start(folder, leaves);
          await gateway.audit.settle(100);
          let next = 0;
          for (const { sends, loses, away, restart } of steps) {
            for (const leaf of leaves) leaf.state = "alive";
            for (let i = 0; i < sends; i++) await gateway.send(rowsText(3, next++ * 40_000));
            if (loses !== null) leaves[next % 2]!.lose(loses);
            if (away !== null) leaves[away]!.state = "dead";
            if (restart !== null) {
              await gateway.stop();
              await spoil(folder, restart);
              gateway = await start(folder, leaves);
              await gateway.audit.settle(100);
            } else await gateway.audit.run();
            const stored = leaves.reduce((sum, leaf) => sum + leaf.everStored, 0);
            const answers = leaves.map((leaf) => (leaf.state === "alive" ? leaf.rowCount("t") : 0));
            const expected = leaves.map((leaf) => expectedOn(gateway, leaf));
            const total = expected[0]! + expected[1]!;
            const answered = answers.reduce(
              (sum, rows, i) => sum + Math.min(rows, expected[i]!),
              0,
            );
            const isKnown = gateway.ledger.doubt("t", 0) === null;
            const truth = stored === 0 ? 1 : (answers[0]! + answers[1]!) / stored;
            if (isKnown && total > 0) expect(answered / total).toBeLessThanOrEqual(truth);
            if (isKnown && total === 0) expect(stored).toBe(0);
          }
          for (const leaf of leaves) leaf.state = "alive";
          await gateway.audit.settle(1_000);
          expect(gateway.ledger.damage).toBeNull();
          const isDoubted = gateway.ledger.doubt("t", 0) !== null;
          if (isDoubted) expect(leaves.some((leaf) => leaf.hasUnknownLoss)).toBe(true);
          else for (const leaf of leaves) expect(expectedOn(gateway, leaf)).toBe(leaf.everStored);
          if (!isDoubted && gateway.warnings.some((text) => text.includes("they are now")))
            healed++;
          await gateway.stop();
        }),
      ),
      { numRuns: 75 },
    );
    expect(healed).toBeGreaterThan(5);
  }, 60_000);
});
