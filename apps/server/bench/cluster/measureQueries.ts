import type { HadalClient, HadalError, QueryStats } from "@hadal/sdk";
import { median } from "../../src/base/number/median.js";
import { disagreement } from "../peer/agree.js";
import { type Peer, textFor } from "../peer/peer.js";
import type { BenchQuery } from "../query/benchQuery.js";
import type { BenchResult } from "../report/benchReport.js";
import { say } from "../report/say.js";
import type { BenchCluster } from "./benchCluster.js";
import { warmUp } from "./warmUp.js";

/**
 * Each of both runs for so long in turn, once at least. What it starts within the first few milliseconds finds the caches full
 * of the other's data and does not count, unless it lasts longer than that.
 */
const turnMs = { cold: 10, all: 50 };

/** What is measured of one query, over all the peers that it is run in turn with. */
export class QueryMeasurement {
  readonly #threads: number;
  readonly #finalMs: number[] = [];
  readonly #firstMs: number[] = [];
  readonly #serverMs: number[] = [];
  readonly #pathMs: number[] = [];
  readonly #peers: Record<string, number> = {};
  readonly #differences: string[] = [];
  readonly #besideMs: number[] = [];
  #bytesScanned = 0;
  #rowsScanned = 0;

  constructor(
    readonly query: BenchQuery,
    threads: number,
  ) {
    this.#threads = threads;
  }

  /** Answers first; then hot runs, both in turn, so that what disturbs one disturbs the other. */
  async compare(
    client: HadalClient,
    cluster: Pick<BenchCluster, "pathMs">,
    peer: Peer | null,
    turns: number,
  ): Promise<void> {
    const { name, query, beside } = this.query;
    say(`${name} …`);
    if (peer !== null) await this.#check(client, peer);
    const asked = beside === undefined ? [query] : [query, beside.query];
    await warmUp(client, asked, this.#finalMs.length > 0);
    const theirs: number[] = [];
    for (let turn = 0; turn < turns; turn++) {
      for (const run of await takeTurn(() => this.#time(client, cluster))) this.#note(run);
      await this.#timeBeside(client);
      if (peer === null) continue;
      const text = textFor(peer.name, this.query, "timed");
      theirs.push(...(await takeTurn(() => peer.time(text))));
    }
    if (peer !== null) this.#peers[peer.name] = median(theirs);
  }

  /** Hadal has no answer: the report says so, beside the times of those that it had. */
  refuse({ code, message }: HadalError): void {
    const { name } = this.query;
    say(`${name}: ${message}`);
    process.exitCode = 1;
    this.#differences.push(`refused: ${code}`);
  }

  result(): BenchResult {
    const hadalMs = median(this.#finalMs);
    const fastest = Math.min(...Object.values(this.#peers));
    const isCompared = Number.isFinite(fastest);
    const serverMs = median(this.#serverMs);
    const pathMs = median(this.#pathMs);
    const notes = [...this.#differences, ...this.#tell(serverMs)];
    return {
      ...{ query: this.query.name, hadalMs, peers: this.#peers },
      ratio: isCompared ? fastest / hadalMs : null,
      bytesScanned: this.#bytesScanned,
      checked: isCompared && this.#differences.length === 0,
      serverMs,
      serverRatio: isCompared ? fastest / serverMs : null,
      pathMs,
      pathRatio: isCompared ? fastest / pathMs : null,
      firstPartialMs: median(this.#firstMs),
      ...(notes.length === 0 ? {} : { note: notes.join("; ") }),
    };
  }

  #tell(serverMs: number): string[] {
    const { beside, perCore } = this.query;
    const texts: string[] = [];
    if (perCore === true) {
      const millions = this.#rowsScanned / serverMs / 1_000 / this.#threads;
      texts.push(`${millions.toPrecision(3)} M rows/s/core`);
    }
    if (beside !== undefined) {
      const times = serverMs / median(this.#besideMs);
      texts.push(`${times.toFixed(2)} × ${beside.name} (${median(this.#besideMs).toFixed(2)} ms)`);
    }
    return texts;
  }

  async #check(client: HadalClient, peer: Peer): Promise<void> {
    const result = await client.query(this.query.query);
    const rows = await peer.rows(textFor(peer.name, this.query, "compared"));
    const difference = disagreement(result, rows, this.query);
    if (difference !== null) this.#differences.push(`${peer.name}: ${difference}`);
  }

  async #time(client: HadalClient, cluster: Pick<BenchCluster, "pathMs">): Promise<TimedRun> {
    const startedMs = performance.now();
    let firstMs: number | null = null;
    const { stats } = await client.query(this.query.query, {
      onPartial: () => {
        firstMs ??= performance.now() - startedMs;
      },
    });
    const finalMs = performance.now() - startedMs;
    return { finalMs, firstMs: firstMs ?? finalMs, stats, pathMs: cluster.pathMs };
  }

  #note({ finalMs, firstMs, stats, pathMs }: TimedRun): void {
    this.#finalMs.push(finalMs);
    this.#firstMs.push(firstMs);
    this.#serverMs.push(stats.elapsedMs);
    this.#pathMs.push(pathMs);
    this.#bytesScanned = stats.bytesScanned!;
    this.#rowsScanned = stats.rowsScanned!;
  }

  async #timeBeside(client: HadalClient): Promise<void> {
    const { beside } = this.query;
    if (beside === undefined) return;
    const runs = await takeTurn(() => client.query(beside.query));
    for (const { stats } of runs) this.#besideMs.push(stats.elapsedMs);
  }
}

interface TimedRun {
  readonly finalMs: number;
  readonly firstMs: number;
  readonly pathMs: number;
  readonly stats: QueryStats;
}

/** What the hot runs of one turn brought. */
async function takeTurn<Timed>(run: () => Promise<Timed>): Promise<Timed[]> {
  const startedMs = performance.now();
  const hot: Timed[] = [];
  do {
    const begunMs = performance.now();
    const timed = await run();
    const isShort = performance.now() - begunMs < turnMs.cold;
    if (!isShort || begunMs - startedMs >= turnMs.cold) hot.push(timed);
  } while (performance.now() - startedMs < turnMs.all);
  return hot;
}
