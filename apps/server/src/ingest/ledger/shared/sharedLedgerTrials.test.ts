import fc from "fast-check";
import { expect, test } from "vitest";
import { AuditedLeaf } from "../../testing/auditedLeaf.js";
import { rowsText } from "../../testing/gateway.js";
import { type SharedGateway, SharedGateways } from "../../testing/sharedGateways.js";

const names = ["a", "b", "c"] as const;
const leafIds = ["leaf-0", "leaf-1", "leaf-2"] as const;
const gatewayName = fc.constantFrom(...names);
const leafId = fc.constantFrom(...leafIds);

type Step =
  | { readonly do: "send"; readonly by: string; readonly rows: number; readonly minute: number }
  | { readonly do: "turn" | "kill" | "lose" | "start" | "compare"; readonly by: string }
  | { readonly do: "leafEnds" | "leafReturns"; readonly leaf: string }
  | { readonly do: "wait" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      ...{ do: fc.constant("send" as const), by: gatewayName },
      ...{ rows: fc.integer({ min: 1, max: 9 }), minute: fc.nat(3) },
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom("turn" as const, "turn", "turn", "kill", "lose", "start", "compare"),
      by: gatewayName,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("leafEnds" as const, "leafReturns"),
      leaf: leafId,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("wait" as const) }) },
);

/** Three gateways over three leaves, any of which may be away. */
class Trial {
  readonly #all: SharedGateways;
  readonly #running = new Map<string, SharedGateway>();
  #ackedRows = 0;

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
    else if ("leaf" in one) {
      const leaf = this.#all.leaves.find(({ id }) => id === one.leaf)!;
      leaf.state = one.do === "leafEnds" ? "dead" : "alive";
    } else if (one.do === "start") await this.#start(one.by);
    else await this.#use(one);
  }

  async #use(one: Extract<Step, { readonly by: string }>): Promise<void> {
    const gateway = this.#running.get(one.by);
    if (gateway === undefined) return;
    switch (one.do) {
      case "send":
        await gateway.send(rowsText(one.rows, one.minute * 60_000)).then(
          () => {
            this.#ackedRows += one.rows;
          },
          // No leaf is there.
          () => undefined,
        );
        break;
      case "turn":
        await gateway.turn();
        break;
      case "compare":
        await gateway.audit.runIfDue();
        break;
      case "kill":
      case "lose":
        this.#running.delete(gateway.name);
        await gateway.kill();
        // Lost: the others take its place before it returns.
        if (one.do === "lose") await this.#all.silence(gateway.name);
        break;
    }
  }

  /** What a gateway would say of a query over all time, to which all living leaves answer. */
  check(): void {
    const alive = this.#all.leaves.filter(({ state }) => state === "alive");
    const dead = this.#all.leaves.filter(({ state }) => state === "dead").map(({ id }) => id);
    const held = alive.reduce((sum, leaf) => sum + leaf.rowCount("t"), 0);
    const share = this.#ackedRows === 0 ? 1 : Math.min(1, held / this.#ackedRows);
    for (const { ledger, name } of this.#running.values()) {
      const end = Number.POSITIVE_INFINITY;
      if (ledger.doubt("t", 0, end) !== null || ledger.doubtOfLeaves(dead, end) !== null) continue;
      const expected = ledger.expected("t", 0, 1e15);
      const total = [...expected.values()].reduce((sum, rows) => sum + rows, 0);
      const answered = alive.reduce(
        (sum, leaf) => sum + Math.min(expected.get(leaf.id) ?? 0, leaf.rowCount("t")),
        0,
      );
      const said = total === 0 ? 1 : answered / total;
      if (total > 0)
        expect(said, `what ${name} says is complete`).toBeLessThanOrEqual(share + 1e-9);
    }
  }

  /** After everything is back, each gateway expects exactly what the leaves have. */
  async checkHealed(): Promise<void> {
    for (const leaf of this.#all.leaves) leaf.state = "alive";
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
    const total = this.#all.leaves.reduce((sum, leaf) => sum + leaf.rowCount("t"), 0);
    expect(total).toBe(this.#ackedRows);
  }

  async close(): Promise<void> {
    for (const gateway of this.#running.values()) await gateway.stop();
    await this.#all.remove();
  }

  async #start(name: string): Promise<void> {
    if (!this.#running.has(name)) this.#running.set(name, await this.#all.start(name));
  }
}

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
    { numRuns: 40 },
  );
}, 300_000);
