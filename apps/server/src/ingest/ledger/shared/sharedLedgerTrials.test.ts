import fc from "fast-check";
import { expect, test } from "vitest";
import { trials } from "../../../../test/oracle/seed/seed.js";
import { AuditedLeaf } from "../../testing/auditedLeaf.js";
import { rowsText } from "../../testing/gateway.js";
import type { AppendFate } from "../../testing/memoryLeaf.js";
import { type SharedGateway, SharedGateways } from "../../testing/sharedGateways.js";

const names = ["a", "b", "c"] as const;
const leafIds = ["leaf-0", "leaf-1", "leaf-2"] as const;
/** Of the next append to a leaf. */
const fates: readonly AppendFate[] = ["answer lost", "gone after it", "gone before it"];
const gatewayName = fc.constantFrom(...names);
const leafId = fc.constantFrom(...leafIds);

type Step =
  | { readonly do: "send"; readonly by: string; readonly rows: number; readonly minute: number }
  | { readonly do: "sendKey"; readonly by: string; readonly key: number }
  | { readonly do: "turn" | "kill" | "lose" | "freeze" | "start" | "compare"; readonly by: string }
  | { readonly do: "leafEnds" | "leafReturns" | AppendFate; readonly leaf: string }
  | { readonly do: "wait" }
  | { readonly do: "reach" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ do: fc.constant("send" as const), by: gatewayName },
      ...{ rows: fc.integer({ min: 1, max: 9 }), minute: fc.nat(3) },
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      ...{ do: fc.constant("sendKey" as const), by: gatewayName, key: fc.nat(4) },
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "turn" as const,
        "turn",
        "turn",
        "kill",
        "lose",
        "freeze",
        "start",
        "compare",
      ),
      by: gatewayName,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("leafEnds" as const, "leafReturns", "leafReturns", ...fates),
      leaf: leafId,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("reach" as const) }) },
);

/** Three gateways over three leaves, any of which may be away. */
class Trial {
  readonly #all: SharedGateways;
  readonly #running = new Map<string, SharedGateway>();
  #ackedRows = 0;
  #unsureRows = 0;
  /** Keys that were sent: whether their rows were acknowledged. */
  readonly #keys = new Map<number, boolean>();
  /** Then rows may be on two leaves for a while, and count on one of them. */
  #mayHint = false;

  private constructor(all: SharedGateways) {
    this.#all = all;
  }

  static async open(): Promise<Trial> {
    const trial = new Trial(await SharedGateways.open(leafIds.map((id) => new AuditedLeaf(id))));
    await trial.#start("a");
    await trial.#running.get("a")!.audit.settle(5_000);
    return trial;
  }

  async take(one: Step): Promise<void> {
    if (one.do === "wait") this.#all.aheadMs += 4_000;
    else if (one.do === "reach") this.#all.cutOff.clear();
    else if ("leaf" in one) {
      const leaf = this.#all.leaves.find(({ id }) => id === one.leaf)!;
      if (one.do === "leafEnds") leaf.state = "dead";
      else if (one.do === "leafReturns") leaf.state = "alive";
      else {
        leaf.fates.push(one.do);
        this.#mayHint = true;
      }
    } else if (one.do === "start") await this.#start(one.by);
    else await this.#use(one);
  }

  async #use(one: Extract<Step, { readonly by: string }>): Promise<void> {
    const gateway = this.#running.get(one.by);
    if (gateway === undefined) return;
    const isCutOff = this.#all.cutOff.has(one.by);
    switch (one.do) {
      case "send":
        await gateway.send(rowsText(one.rows, one.minute * 60_000)).then(
          () => {
            this.#ackedRows += one.rows;
          },
          // No leaf is there, or one may have stored it.
          () => {
            this.#unsureRows += one.rows;
          },
        );
        break;
      case "sendKey":
        await this.#sendKey(gateway, one.key);
        break;
      case "turn":
        if (!isCutOff) await gateway.turn();
        break;
      case "compare":
        if (gateway.ledger.isLeader && !isCutOff) await gateway.audit.run();
        await gateway.ingest.resolvePending();
        break;
      case "kill":
      case "lose":
        this.#running.delete(gateway.name);
        await gateway.kill();
        // Lost: the others take its place before it returns.
        if (one.do === "lose") await this.#all.silence(gateway.name);
        break;
      case "freeze":
        await this.#freeze(gateway);
        break;
    }
  }

  /** Each key has the same rows every time, through whichever gateway. */
  async #sendKey(gateway: SharedGateway, key: number): Promise<void> {
    const rows = key + 1;
    const before = this.#keys.get(key);
    const isAcked = await gateway.send(rowsText(rows, key * 60_000), `key-${key}`).then(
      () => true,
      () => false,
    );
    if (before !== true && isAcked) this.#ackedRows += rows;
    if (before === undefined && !isAcked) this.#unsureRows += rows;
    if (before === false && isAcked) this.#unsureRows -= rows;
    this.#keys.set(key, before === true || isAcked);
  }

  /** For as long as it takes until others take its place, if there are any. It goes on as it is. */
  async #freeze(gateway: SharedGateway): Promise<void> {
    await this.#all.silence(gateway.name);
    this.#all.cutOff.add(gateway.name);
    for (let waitedMs = 0; waitedMs < 11_000; waitedMs += 2_800) {
      this.#all.aheadMs += 2_800;
      for (const other of this.#running.values()) await other.turn().catch(() => undefined);
    }
  }

  /** What a gateway would say of a query over all time, to which all living leaves answer. */
  check(): void {
    if (this.#mayHint) return;
    const alive = this.#all.leaves.filter(({ state }) => state === "alive");
    const dead = this.#all.leaves.filter(({ state }) => state === "dead");
    const deadIds = dead.map(({ id }) => id);
    const held = sumOf(alive, (leaf) => leaf.rowCount("t"));
    for (const { ledger, name } of this.#running.values()) {
      const end = Number.POSITIVE_INFINITY;
      if (ledger.doubt("t", 0, end) !== null) continue;
      if (ledger.doubtOfLeaves(deadIds, end) !== null) continue;
      const expected = ledger.expected("t", 0, 1e15);
      const expectedOn = ({ id }: AuditedLeaf): number => expected.get(id) ?? 0;
      const total = sumOf(this.#all.leaves, expectedOn);
      const answered = sumOf(alive, (leaf) => Math.min(expectedOn(leaf), leaf.rowCount("t")));
      const said = total === 0 ? 1 : answered / total;
      const unknownOnDead = sumOf(dead, (leaf) =>
        Math.max(0, leaf.rowCount("t") - expectedOn(leaf)),
      );
      // Rows on living leaves that it does not know yet may stand for missing ones.
      const unknown = Math.max(0, this.#ackedRows - total - unknownOnDead);
      const share = held / Math.max(held, this.#ackedRows - unknown);
      if (total > 0)
        expect(said, `what ${name} says is complete`).toBeLessThanOrEqual(share + 1e-9);
    }
  }

  /** After everything is back, each gateway expects exactly what the leaves have. */
  async checkHealed(): Promise<void> {
    this.#all.cutOff.clear();
    for (const leaf of this.#all.leaves) {
      leaf.state = "alive";
      leaf.fates = [];
    }
    for (const name of names) await this.#start(name);
    const gateways = [...this.#running.values()];
    const isOpen = (): boolean =>
      gateways.some(({ ledger }) => ledger.doubt("t", 0, 1e15) !== null);
    for (let round = 0; round < 20 && (round < 3 || isOpen()); round++) {
      for (const { ingest } of gateways) await ingest.resolvePending();
      for (const gateway of gateways) await gateway.turn();
      for (const { audit } of gateways) await audit.runIfDue();
    }
    for (const { ledger, audit } of gateways) {
      expect(ledger.doubt("t", 0, 1e15)).toBeNull();
      const held = this.#all.leaves.map((leaf) => [leaf.id, leaf.rowCount("t")] as const);
      const expected = ledger.expected("t", 0, 1e15);
      expect(held.map(([id]) => [id, expected.get(id) ?? 0])).toEqual(held);
      expect(audit.report().lostRows).toEqual([]);
    }
    const total = sumOf(this.#all.leaves, (leaf) => leaf.rowCount("t"));
    expect(total).toBeGreaterThanOrEqual(this.#ackedRows);
    expect(total).toBeLessThanOrEqual(this.#ackedRows + this.#unsureRows);
  }

  async close(): Promise<void> {
    for (const gateway of this.#running.values()) await gateway.stop();
    await this.#all.remove();
  }

  async #start(name: string): Promise<void> {
    if (!this.#running.has(name) && !this.#all.cutOff.has(name))
      this.#running.set(name, await this.#all.start(name));
  }
}

const sumOf = (leaves: readonly AuditedLeaf[], rowsOf: (leaf: AuditedLeaf) => number): number =>
  leaves.reduce((sum, leaf) => sum + rowsOf(leaf), 0);

test("S80: no gateway says that more is complete than is, and after healing all expect what is there", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const trial = await Trial.open();
      try {
        for (const one of steps) {
          await trial.take(one);
          trial.check();
        }
        await trial.checkHealed();
      } finally {
        await trial.close();
      }
    }),
    { numRuns: trials(60, 1_000) },
  );
}, 300_000);
