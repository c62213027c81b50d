import { HadalError } from "@hadal/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { trials } from "../../../test/oracle/seed/seed.js";
import { mergeSnapshots } from "../../base/row/unitSnapshot.js";
import { AuditedLeaf } from "../testing/auditedLeaf.js";
import { rowsText, startGateway, type TestGateway, withFolder } from "../testing/gateway.js";
import { type AppendFate, MemoryLeaf } from "../testing/memoryLeaf.js";
import { SharedGateways } from "../testing/sharedGateways.js";

const minuteMs = 60_000;
/** More are dealt out over leaves. */
const rowsOfUnit = 1_100;
const hourMs = 3_600_000;

const leavesOf = (count: number): MemoryLeaf[] =>
  Array.from({ length: count }, (_, i) => new MemoryLeaf(`leaf-${i}`));

/** Rows of the request with that number: all in an hour of their own. */
const bodyOf = (request: number): string => rowsText(rowsOfUnit, request * hourMs);

/** What a query of that moment sees of a request, over all leaves. */
function seen(gateway: TestGateway, leaves: readonly MemoryLeaf[], request: number): number {
  const snapshot = gateway.ledger.snapshot();
  return leaves.reduce(
    (sum, leaf) =>
      sum + leaf.visibleTimes("t", snapshot).filter((ms) => ofRequest(ms, request)).length,
    0,
  );
}

const ofRequest = (ms: number, request: number): boolean => Math.floor(ms / hourMs) === request;

function expectedOf({ ledger }: TestGateway, request: number): number {
  const fromMs = request * hourMs;
  const rows = ledger.expected("t", fromMs, fromMs + hourMs).values();
  return [...rows].reduce((sum, count) => sum + count, 0);
}

function isOneBatch(leaves: readonly MemoryLeaf[], request: number): boolean {
  const batches = leaves.flatMap(({ held, hints }) => [
    ...[...held.values()].filter(({ unit }) => unit === undefined),
    ...hints.values(),
  ]);
  return batches.some(({ times }) => ofRequest(times[0]!, request));
}

/** Whether it has rows that came as a part of a unit. */
const hasUnits = ({ held }: MemoryLeaf): boolean => [...held.values()].some(({ unit }) => unit);

async function withGateway(
  leaves: readonly MemoryLeaf[],
  work: (gateway: TestGateway) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    const gateway = await startGateway(folder, leaves);
    await work(gateway);
    await gateway.stop();
  });
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Calls `look` in every turn of the event loop until the work is done. */
async function lookingOn<T>(work: Promise<T>, look: () => void): Promise<PromiseSettledResult<T>> {
  let isOver = false;
  const outcome = Promise.allSettled([work]).then(([settled]) => {
    isOver = true;
    return settled!;
  });
  while (!isOver) {
    look();
    await turn();
  }
  look();
  return outcome;
}

describe("a request of several parts", () => {
  test("right after a start waits until a leaf has said that it hides what is not committed", async () => {
    const leaves = leavesOf(2);
    for (const leaf of leaves) leaf.hasStatus = false;
    await withGateway(leaves, async (gateway) => {
      let looks = 0;
      const outcome = await lookingOn(gateway.send(bodyOf(1)), () => {
        if (looks++ === 5) leaves[0]!.hasStatus = true;
        expect([0, rowsOfUnit]).toContain(seen(gateway, leaves, 1));
      });
      expect(outcome.status).toBe("fulfilled");
      expect(leaves.some(hasUnits)).toBe(true);
    });
  });

  test("waits where the ledger is new until leaves are searched for units that it may have lost", async () => {
    const leaves = leavesOf(3);
    leaves[0]!.state = "suspect";
    await withFolder(async (folder) => {
      const gateway = await startGateway(folder, leaves, Math.random, { isCompared: false });
      let looks = 0;
      const outcome = await lookingOn(gateway.send(bodyOf(1)), () => {
        if (looks++ === 5) leaves[0]!.state = "alive";
        expect([0, rowsOfUnit]).toContain(seen(gateway, leaves, 1));
      });
      expect(outcome.status).toBe("fulfilled");
      expect(leaves.some(hasUnits)).toBe(true);
      await gateway.stop();
    });
  });

  test("does not wait for a leaf that is away to be searched", async () => {
    const leaves = leavesOf(3);
    leaves[0]!.state = "dead";
    await withFolder(async (folder) => {
      const gateway = await startGateway(folder, leaves, Math.random, { isCompared: false });
      await gateway.send(bodyOf(1));
      expect(leaves.some(hasUnits)).toBe(false);
      expect(expectedOf(gateway, 1)).toBe(rowsOfUnit);
      await gateway.stop();
    });
  });

  test("becomes visible, and counts, in one moment", async () => {
    const leaves = leavesOf(3);
    for (const [i, leaf] of leaves.entries()) leaf.turns = 1 + i;
    await withGateway(leaves, async (gateway) => {
      const moments = new Set<string>();
      await lookingOn(gateway.send(bodyOf(0)), () => {
        const held = leaves.reduce((sum, leaf) => sum + leaf.rowCount("t"), 0);
        moments.add(`${seen(gateway, leaves, 0)} ${expectedOf(gateway, 0)} ${held === 0}`);
      });
      // Some parts were stored and hidden in between.
      expect([...moments]).toEqual(["0 0 true", "0 0 false", `${rowsOfUnit} ${rowsOfUnit} false`]);
      expect(leaves.filter(({ held }) => held.size > 0).length).toBeGreaterThan(1);
    });
  });

  test("is stored on other leaves, as a whole, where one falls silent", async () => {
    const leaves = leavesOf(3);
    leaves[1]!.fates = ["gone after it"];
    await withGateway(leaves, async (gateway) => {
      const outcome = await lookingOn(gateway.send(bodyOf(0)), () => {
        expect(seen(gateway, leaves, 0)).toBe(expectedOf(gateway, 0));
        expect([0, rowsOfUnit]).toContain(expectedOf(gateway, 0));
      });
      expect(outcome).toMatchObject({ status: "fulfilled", value: { accepted: rowsOfUnit } });
      expect(leaves[1]!.rowCount("t")).toBeGreaterThan(0);
      // The leaf returns with a part that was sent again: it goes.
      leaves[1]!.state = "alive";
      await gateway.ingest.resolvePending();
      await turn();
      await turn();
      expect(leaves[1]!.rowCount("t")).toBe(0);
    });
  });

  test("that a leaf refuses is refused as a whole, and says so", async () => {
    const leaves = leavesOf(2);
    await withGateway(leaves, async (gateway) => {
      leaves[0]!.fates = ["full"];
      leaves[1]!.fates = ["stored", "full"];
      await expect(gateway.send(bodyOf(0))).rejects.toMatchObject({
        code: "storage-full",
        errors: [{ code: "nothing-stored" }],
        message: expect.stringContaining("Nothing of the request was stored."),
      });
      expect([seen(gateway, leaves, 0), expectedOf(gateway, 0)]).toEqual([0, 0]);
      // Sent again, with or without a key, it is stored once.
      await gateway.send(bodyOf(0));
      expect([seen(gateway, leaves, 0), expectedOf(gateway, 0)]).toEqual([rowsOfUnit, rowsOfUnit]);
    });
  });

  test("names its gateway's aborted ones to a leaf alone that has lost which they are", async () => {
    const leaves = leavesOf(2);
    await withGateway(leaves, async (gateway) => {
      leaves[0]!.fates = ["full"];
      leaves[1]!.fates = ["stored", "full"];
      await expect(gateway.send(bodyOf(0))).rejects.toMatchObject({ code: "storage-full" });
      const [aborted] = gateway.ledger.units.aborted;
      gateway.ledger.forgetUnits([aborted!]);
      leaves[0]!.isUnsure = true;
      await gateway.send(bodyOf(1));
      while (leaves[0]!.named === undefined) await turn();
      expect(leaves.map(({ named }) => named)).toEqual([
        { from: aborted, forgotten: [aborted] },
        undefined,
      ]);
    });
  });

  test("with a key is stored once, also when it is refused first", async () => {
    const leaves = leavesOf(2);
    await withGateway(leaves, async (gateway) => {
      leaves[0]!.fates = ["full"];
      leaves[1]!.fates = ["stored", "full"];
      await expect(gateway.send(bodyOf(0), "k")).rejects.toMatchObject({ code: "storage-full" });
      for (let i = 0; i < 3; i++) await gateway.send(bodyOf(0), "k");
      expect([seen(gateway, leaves, 0), expectedOf(gateway, 0)]).toEqual([rowsOfUnit, rowsOfUnit]);
    });
  });

  test("is not stored as one where a leaf of an older version would show a part of it", async () => {
    const leaves = leavesOf(2);
    leaves[1]!.takesUnits = false;
    await withGateway(leaves, async (gateway) => {
      await gateway.send(bodyOf(0));
      expect(expectedOf(gateway, 0)).toBe(rowsOfUnit);
      const stamped = leaves.flatMap(({ held }) => [...held.values()]).filter(({ unit }) => unit);
      expect(stamped).toEqual([]);
    });
  });
});

test("an aborted unit is hidden by name until no batch of it can come any more, and all leaves know it", async () => {
  const leaves = leavesOf(2);
  await withFolder(async (folder) => {
    const startMs = 1_750_500_000_000;
    const exceptAfter = async (ms: number, away: boolean): Promise<number> => {
      const options = { startMs: startMs + ms };
      const gateway = await startGateway(folder, leaves, Math.random, options);
      if (ms === 0) {
        leaves[0]!.fates = ["full"];
        leaves[1]!.fates = ["stored", "full"];
        await expect(gateway.send(bodyOf(0))).rejects.toMatchObject({ code: "storage-full" });
      }
      leaves[1]!.state = away ? "dead" : "alive";
      await gateway.ingest.resolvePending();
      for (let i = 0; i < 5; i++) await turn();
      const { length } = gateway.ledger.units.visible.except;
      await gateway.stop();
      return length;
    };
    expect(await exceptAfter(0, false)).toBe(1);
    expect(await exceptAfter(60_000, false)).toBe(1);
    expect(await exceptAfter(130_000, true)).toBe(1);
    expect(await exceptAfter(130_000, false)).toBe(0);
  });
});

describe("a start", () => {
  /** The gateway ends when the leaves have the wanted number of parts. */
  async function endWith(partsStored: 1 | 2, folder: string, leaves: readonly MemoryLeaf[]) {
    const first = await startGateway(folder, leaves);
    if (partsStored === 1) leaves[1]!.fates = ["gone before it"];
    // What it decides in this run does not get to its disk.
    first.ledger.commitUnit = () => undefined;
    first.ledger.abortUnit = () => new Promise(() => undefined);
    void first.send(bodyOf(0), "k").catch(() => undefined);
    while (leaves.filter(({ held }) => held.size > 0).length < partsStored) await turn();
    for (let i = 0; i < 5; i++) await turn();
    await first.stop();
    leaves[1]!.state = "alive";
  }

  test("commits a unit of which leaves have all parts", async () => {
    const leaves = leavesOf(2);
    await withFolder(async (folder) => {
      await endWith(2, folder, leaves);
      const second = await startGateway(folder, leaves);
      expect(seen(second, leaves, 0)).toBe(0);
      await second.ingest.resolvePending();
      expect([seen(second, leaves, 0), expectedOf(second, 0)]).toEqual([rowsOfUnit, rowsOfUnit]);
      await second.send(bodyOf(0), "k");
      expect(expectedOf(second, 0)).toBe(rowsOfUnit);
      await second.stop();
    });
  });

  test("aborts a unit of which a part is missing", async () => {
    const leaves = leavesOf(2);
    await withFolder(async (folder) => {
      await endWith(1, folder, leaves);
      const second = await startGateway(folder, leaves);
      await second.ingest.resolvePending();
      await turn();
      await turn();
      expect(leaves.map((leaf) => leaf.rowCount("t"))).toEqual([0, 0]);
      expect(expectedOf(second, 0)).toBe(0);
      await second.send(bodyOf(0), "k");
      expect([seen(second, leaves, 0), expectedOf(second, 0)]).toEqual([rowsOfUnit, rowsOfUnit]);
      await second.stop();
    });
  });

  test("leaves alone a unit that is committed while earlier ones are decided", async () => {
    const leaves = leavesOf(2);
    await withFolder(async (folder) => {
      await endWith(1, folder, leaves);
      const second = await startGateway(folder, leaves);
      for (const leaf of leaves) leaf.turns = 20;
      const sending = second.send(bodyOf(1));
      while (second.ledger.units.open.length < 2) await turn();
      for (let i = 0; i < 5; i++) await turn();
      await Promise.all([sending, second.ingest.resolvePending()]);
      expect(second.ledger.units.aborted).toHaveLength(1);
      expect([seen(second, leaves, 1), expectedOf(second, 1)]).toEqual([rowsOfUnit, rowsOfUnit]);
      await second.stop();
    });
  });

  test("gives no number twice, also when the journal is lost", async () => {
    const numbers: number[] = [];
    for (let run = 0; run < 2; run++) {
      await withFolder(async (folder) => {
        for (let start = 0; start < 2; start++) {
          const startMs = 1_750_500_000_000 + run * minuteMs;
          const gateway = await startGateway(folder, leavesOf(2), Math.random, { startMs });
          for (let i = 0; i < 2; i++) await gateway.send(bodyOf(i));
          numbers.push(gateway.ledger.units.visible.upTo);
          await gateway.stop();
        }
      });
    }
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  });
});

/** A gateway ends with a unit that it has not decided: some leaves have a part of it, or all. */
async function leaveUndecided(
  gateway: Pick<TestGateway, "send" | "ledger">,
  leaves: readonly MemoryLeaf[],
  isWhole: boolean,
): Promise<void> {
  gateway.ledger.commitUnit = () => undefined;
  gateway.ledger.abortUnit = () => new Promise(() => undefined);
  if (!isWhole) leaves[1]!.fates = ["gone before it"];
  void gateway.send(bodyOf(0), "k").catch(() => undefined);
  const wanted = isWhole ? 2 : 1;
  while (leaves.filter(({ held }) => held.size > 0).length < wanted) await turn();
  for (let i = 0; i < 5; i++) await turn();
}

/** A leaf was sent the decision before its gateway ended. */
function noteCommitted(leaf: MemoryLeaf): void {
  for (const { unit } of leaf.held.values()) {
    const { gateway, number } = unit!;
    leaf.known = mergeSnapshots(leaf.known, { [gateway]: { upTo: number, except: [] } });
  }
}

describe.each([
  ["all parts", true, false, rowsOfUnit],
  ["a part", false, false, 0],
  ["all parts, and one knows that it is committed", true, true, rowsOfUnit],
])("a unit that no journal knows, of which leaves have %s", (_, isWhole, isKnown, rows) => {
  test("is decided before a number is given, where the ledger is lost", async () => {
    const leaves = leavesOf(2);
    await withFolder(async (lost) => {
      const first = await startGateway(lost, leaves);
      await leaveUndecided(first, leaves, isWhole);
      if (isKnown) noteCommitted(leaves[0]!);
      await first.stop();
    });
    leaves[1]!.state = "dead";
    await withFolder(async (folder) => {
      const second = await startGateway(folder, leaves, Math.random, { isCompared: false });
      await second.ingest.resolvePending();
      expect(second.ingest.areHintsKnown()).toBe(false);
      expect(second.ledger.units.visible.upTo).toBe(0);
      // Until then a request is no unit, and its key may be that of the lost one.
      await expect(second.send(bodyOf(0), "k")).rejects.toMatchObject({ code: "unavailable" });
      leaves[1]!.state = "alive";
      await second.ingest.resolvePending();
      expect(second.ingest.areHintsKnown()).toBe(true);
      expect(seen(second, leaves, 0)).toBe(rows);
      await second.send(bodyOf(0), "k");
      expect(seen(second, leaves, 0)).toBe(rowsOfUnit);
      await second.stop();
    });
  });

  test("is decided by the leading gateway, where its own is gone", async () => {
    const leaves = ["leaf-0", "leaf-1"].map((id) => new AuditedLeaf(id));
    const gateways = await SharedGateways.open(leaves);
    const leader = await gateways.start("a");
    await leader.audit.settle(5_000);
    const gone = await gateways.start("b");
    for (const one of [leader, gone, leader]) await one.turn();
    await leaveUndecided({ send: gone.send, ledger: gone.ledger.own }, leaves, isWhole);
    if (isKnown) noteCommitted(leaves[0]!);
    await gone.kill();
    leaves[1]!.state = "alive";
    const visible = (): number =>
      leaves.reduce(
        (sum, leaf) => sum + leaf.visibleTimes("t", leader.ledger.snapshot()).length,
        0,
      );
    await leader.ingest.resolvePending();
    // It may come back.
    expect([visible() > 0, leaves[0]!.rowCount("t") > 0]).toEqual([isKnown, true]);
    await gateways.silence("b");
    for (let i = 0; i < 3; i++) await leader.turn();
    await leader.send(rowsText(1));
    const held = (): number => leaves.reduce((sum, leaf) => sum + leaf.rowCount("t"), 0);
    // A round that the gateway has begun by itself may be under way: then a call does nothing.
    const resolved = async () => {
      await leader.ingest.resolvePending();
      return [visible(), held()];
    };
    await expect.poll(resolved, { timeout: 5_000 }).toEqual([rows + 1, rows + 1]);
    await leader.stop();
    await gateways.remove();
  });
});

test("a table that is deleted meanwhile leaves no part of a request", async () => {
  const leaves = leavesOf(2);
  leaves[1]!.turns = 20;
  await withGateway(leaves, async (gateway) => {
    const sending = gateway.send(bodyOf(0));
    while (leaves[0]!.held.size === 0) await turn();
    for (let i = 0; i < 3; i++) await turn();
    await gateway.ledger.deleteTable("t", ["leaf-0"]);
    leaves[0]!.held.clear();
    gateway.ledger.dropped("t", "leaf-0");
    await sending;
    expect([seen(gateway, leaves, 0), expectedOf(gateway, 0)]).toEqual([rowsOfUnit, rowsOfUnit]);
  });
});

const fates: readonly AppendFate[] = [
  "stored",
  "answer lost",
  "request lost",
  "gone after it",
  "gone before it",
  "full",
];

type Step =
  | { readonly do: "send" | "sendAgain"; readonly hasKey: boolean }
  | { readonly do: "fate"; readonly leaf: number; readonly fate: AppendFate }
  | { readonly do: "return"; readonly leaf: number }
  | { readonly do: "restart" };

const leafCount = 3;
const leafNumber = fc.nat(leafCount - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("send" as const, "sendAgain" as const),
      hasKey: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      ...{ do: fc.constant("fate" as const), leaf: leafNumber },
      fate: fc.constantFrom(...fates),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("return" as const), leaf: leafNumber }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
);

const isInDoubt = (reason: unknown): boolean =>
  reason instanceof HadalError && reason.code === "leaf-unreachable";

test("no moment shows a part of a request, whatever befalls leaves and gateway", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), (steps) =>
      withFolder(async (folder) => {
        const leaves = leavesOf(leafCount);
        let gateway = await startGateway(folder, leaves);
        const acked = new Map<number, number>();
        /** Sends whose one batch is on a leaf that did not answer: nothing says whether it is stored. */
        const doubtful = new Map<number, number>();
        const keys = new Map<number, boolean>();
        let requests = 0;
        const check = (): void => {
          for (let request = 0; request < requests; request++) {
            const visible = seen(gateway, leaves, request);
            expect(visible % rowsOfUnit).toBe(0);
            // One leaf gets all as one batch, which is visible before it is counted, or is a hint.
            if (!isOneBatch(leaves, request)) expect(visible).toBe(expectedOf(gateway, request));
          }
        };
        const send = async (request: number, key: string | undefined): Promise<void> => {
          const outcome = await lookingOn(gateway.send(bodyOf(request), key), check);
          const before = acked.get(request) ?? 0;
          const isNew = key === undefined || before === 0;
          if (outcome.status === "fulfilled") {
            if (isNew) acked.set(request, before + 1);
            if (key !== undefined) doubtful.delete(request);
          } else if (isInDoubt(outcome.reason)) {
            const times = key === undefined ? (doubtful.get(request) ?? 0) + 1 : 1;
            doubtful.set(request, times);
          }
        };
        for (const one of steps) {
          if (one.do === "fate") leaves[one.leaf]!.fates.push(one.fate);
          else if (one.do === "return") leaves[one.leaf]!.state = "alive";
          else if (one.do === "restart") {
            await gateway.stop();
            gateway = await startGateway(folder, leaves);
            await gateway.ingest.resolvePending();
          } else if (one.do === "send" || requests === 0) {
            keys.set(requests, one.hasKey);
            requests++;
            await send(requests - 1, one.hasKey ? `k${requests - 1}` : undefined);
          } else {
            const last = requests - 1;
            await send(last, keys.get(last) === true ? `k${last}` : undefined);
          }
          check();
        }
        for (const leaf of leaves) Object.assign(leaf, { state: "alive", fates: [] });
        for (let round = 0; round < 3; round++) {
          await gateway.ingest.resolvePending();
          await turn();
          await turn();
        }
        check();
        let total = 0;
        for (let request = 0; request < requests; request++) {
          const times = seen(gateway, leaves, request) / rowsOfUnit;
          const timesMin = acked.get(request) ?? 0;
          const timesMax = timesMin + (doubtful.get(request) ?? 0);
          expect(times).toBeGreaterThanOrEqual(timesMin);
          expect(times).toBeLessThanOrEqual(timesMax);
          total += times * rowsOfUnit;
        }
        const held = leaves.reduce((sum, leaf) => sum + leaf.rowCount("t"), 0);
        expect(held).toBe(total);
        await gateway.stop();
      }),
    ),
    {
      numRuns: trials(40, 2_000),
      // The last leaf falls silent after it has stored a request as one batch.
      examples: [
        [
          [
            { do: "fate", leaf: 0, fate: "gone before it" },
            { do: "fate", leaf: 2, fate: "gone after it" },
            { do: "send", hasKey: false },
            { do: "fate", leaf: 1, fate: "gone after it" },
            { do: "send", hasKey: false },
            { do: "return", leaf: 0 },
          ],
        ],
      ],
    },
  );
}, 120_000);
