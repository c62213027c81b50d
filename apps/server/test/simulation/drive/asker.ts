import { HadalError, type Query, type Result } from "@hadal/sdk";
import { everything } from "../../../src/base/access/readable.js";
import { StopController } from "../../../src/base/schedule/stopController.js";
import { AnswerSession } from "../../../src/query/answerSession.js";
import { type Asked, checkAnswer, minuteMs, type QuestionKind } from "../check/checkAnswer.js";
import type { Oracle, RowRange } from "../check/oracle.js";
import type { RunningGateway } from "../members/simCluster.js";
import type { SimProcess } from "../world/simProcess.js";
import type { World } from "../world/world.js";

const hourMs = 3_600_000;
/** An answer comes this long after its deadline at the latest. */
const graceMs = 150;
/** A cancel reaches every leaf that can be reached within this time. */
const cancelMsMax = 250;

interface PostOptions {
  readonly timeoutMs: number;
  readonly gateway: RunningGateway;
  readonly controller?: StopController;
}

/** A client that asks, and compares the answers with the oracle. */
export class Asker {
  readonly #world: World;
  readonly #oracle: Oracle;
  readonly #gateways: () => readonly RunningGateway[];
  readonly #tables: readonly string[];
  /** Questions under way. */
  #running = 0;
  #count = 0;
  readonly counts = { whole: 0, partial: 0, refused: 0, cancelled: 0 };

  constructor(
    world: World,
    oracle: Oracle,
    gateways: () => readonly RunningGateway[],
    tables: readonly string[],
  ) {
    this.#tables = tables;
    this.#world = world;
    this.#oracle = oracle;
    this.#gateways = gateways;
  }

  everything(table: string): RowRange {
    const { trueMs } = this.#world;
    return { table, fromMs: trueMs - hourMs, toMs: trueMs + hourMs };
  }

  askSomething(): void {
    const { random, trueMs } = this.#world;
    const kind = random.pick(["batches", "minutes", "total", "rows"] as const);
    const table = random.pick(this.#tables);
    const minute = Math.floor(trueMs / minuteMs);
    const fromMs = (minute - random.int(1, 5)) * minuteMs;
    const some = { table, fromMs, toMs: fromMs + random.int(1, 3) * minuteMs };
    const range = kind !== "total" && random.chance(0.3) ? some : this.everything(table);
    void this.ask(kind, range, random.pick([60, 300, 1_000, 2_000]));
  }

  /** Null: no answer. */
  async ask(kind: QuestionKind, range: RowRange, timeoutMs: number): Promise<Result | null> {
    const world = this.#world;
    const gateway = this.#anyGateway();
    if (gateway === null) return null;
    const asked: Asked = { kind, range, askedMs: world.nowMs, gateway: gateway.process };
    const result = await this.#post(queryOf(kind, range, timeoutMs), { timeoutMs, gateway });
    if (result === null) return null;
    const { fraction } = result.completeness;
    this.counts[fraction === 1 ? "whole" : "partial"]++;
    const where = `asked ${gateway.process.name} for ${range.table} at ${asked.askedMs.toFixed(1)} ms`;
    const onBreach = (invariant: string, text: string): void =>
      world.breach(invariant, `${text} (${where})`);
    const seen = checkAnswer(result, { asked, oracle: this.#oracle, onBreach });
    for (const name of seen?.keys() ?? []) this.#noteShown(name, gateway.process);
    return result;
  }

  #noteShown(name: string, gateway: SimProcess): void {
    const shown = this.#oracle.find(name)?.shown;
    if (shown?.has(gateway) === false) shown.set(gateway, this.#world.nowMs);
  }

  /** Asks, and wants no answer any more after a while: all work for it must end. */
  askAndCancel(): void {
    const world = this.#world;
    if (this.#running > 0) return;
    const controller = new StopController();
    const timeoutMs = 20_000;
    const gateway = this.#anyGateway();
    if (gateway === null) return;
    const query = queryOf("batches", this.everything(world.random.pick(this.#tables)), timeoutMs);
    void this.#post(query, { timeoutMs, controller, gateway });
    const asked = this.#count;
    const cancel = (): void => this.#cancel(controller, asked, gateway.process);
    world.after(world.random.int(1, 60), cancel, world.outside);
  }

  #cancel(controller: StopController, asked: number, gateway: SimProcess): void {
    const world = this.#world;
    if (!gateway.isAlive) return;
    this.counts.cancelled++;
    // Those of this query, where no other was asked since.
    const scans = this.#count === asked ? [...world.scans] : [];
    const askedMs = world.nowMs;
    world.after(0, () => controller.abort(), gateway);
    const check = (): void => {
      if (world.network.isAnyBlocked || world.wasAnyStoppedSince(askedMs)) return;
      for (const [scan, leaf] of scans) {
        const isReachable = gateway.isAlive && leaf.isAlive;
        if (!isReachable || !world.scans.has(scan)) continue;
        world.breach(
          "cancel",
          `${leaf.name} scans ${cancelMsMax} ms after the query was cancelled`,
        );
      }
    };
    world.after(cancelMsMax, check, world.outside);
  }

  #anyGateway(): RunningGateway | null {
    const gateways = this.#gateways();
    return gateways.length === 0 ? null : this.#world.random.pick(gateways);
  }

  #post(query: Query, { timeoutMs, gateway, controller = new StopController() }: PostOptions) {
    const world = this.#world;
    const { process, deps } = gateway;
    this.#running++;
    const id = `q${++this.#count}`;
    const askedMs = world.nowMs;
    return new Promise<Result | null>((resolve) => {
      let isOver = false;
      const end = (result: Result | null): void => {
        if (isOver) return;
        isOver = true;
        this.#running--;
        process.onEnd.delete(onEnd);
        world.after(0, () => resolve(result), world.outside);
      };
      const onEnd = (): void => end(null);
      process.onEnd.add(onEnd);
      const run = (): void => {
        const options = { signal: controller.signal, readable: everything };
        const session = new AnswerSession();
        deps.ask(query, { ...options, session, id }).then(end, (error) => {
          this.#noteRefusal(error);
          end(null);
        });
      };
      world.after(world.delayMs(0.1, 2), run, process);
      const late = (): void => {
        if (isOver || process.wasStoppedSince(askedMs)) return;
        world.breach("deadline", `no answer ${graceMs} ms after the deadline`);
      };
      world.after(timeoutMs + graceMs, late, world.outside);
    });
  }

  #noteRefusal(error: unknown): void {
    this.counts.refused++;
    this.#world.trace(() => `a query ends with ${String(error)}`);
    if (error instanceof HadalError && error.code !== "internal" && error.code !== "leaf-failed")
      return;
    this.#world.breach("no unexpected error", `a query: ${String(error)}`);
  }
}

function queryOf(kind: QuestionKind, { table, fromMs, toMs }: RowRange, timeoutMs: number): Query {
  const shared = { table, from: fromMs, to: toMs, timeoutMs, limit: 10_000 };
  const numbers = (["sum", "min", "max"] as const).map((fn) => ({
    fn,
    column: "v",
    as: `${fn}_v`,
  }));
  const aggregates = [{ fn: "count" } as const, ...numbers];
  const sumOf = (column: string) => ({ fn: "sum", column, as: `sum_${column}` }) as const;
  const ofGroups = [...aggregates, sumOf("place")];
  switch (kind) {
    case "batches":
      return { ...shared, groupBy: ["batch"], aggregates: ofGroups };
    case "minutes":
      return { ...shared, groupBy: [{ time: "1m" }, "batch"], aggregates: ofGroups };
    case "total":
      return { ...shared, aggregates: [...aggregates, sumOf("bit"), sumOf("high")] };
    case "rows":
      return { ...shared, sampleView: { columns: ["time", "batch", "place", "v"] } };
  }
}
