import type { HadalClient, HadalError } from "@hadal/sdk";
import { disagreement } from "./agree.js";
import type { BenchCluster } from "./benchCluster.js";
import type { BenchQuery } from "./benchQuery.js";
import { type BenchResult, median } from "./benchReport.js";
import { type Peer, textFor } from "./peer.js";
import { say } from "./say.js";

/**
 * Runs before the first that counts: what is measured is a server that has been asked before, all of whose code is
 * compiled. That of a query that takes a millisecond is after some two thousand of them: until then it takes twice as long.
 */
const warmUpRuns = { min: 3, max: 2_000 };
const warmUpMs = 1_500;
/** About how long the hot runs of one query may take, per peer. */
const runsMs = 1_000;
/** Short queries are run more often: their medians would tell of the machine's interruptions else. */
const runsFactorMax = 8;

/** What is measured of one query, over all the peers that it is run in turn with. */
export class QueryMeasurement {
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
    private readonly threads: number,
  ) {}

  /** Answers first; then hot runs of both in turn, so that what disturbs one disturbs the other. */
  async compare(
    client: HadalClient,
    cluster: Pick<BenchCluster, "pathMs">,
    peer: Peer | null,
    runs: number,
  ): Promise<void> {
    const { name } = this.query;
    say(`${name} …`);
    if (peer !== null) await this.#check(client, peer);
    const wanted = Math.round(runsMs / (await this.#warmUp(client)));
    const times = Math.max(runs, Math.min(runs * runsFactorMax, wanted));
    const theirs: number[] = [];
    for (let run = 0; run < times; run++) {
      await this.#time(client, cluster);
      await this.#timeBeside(client);
      if (peer !== null) theirs.push(await peer.time(textFor(peer.name, this.query, "timed")));
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
    const told: string[] = [];
    if (perCore === true) {
      const millions = this.#rowsScanned / serverMs / 1_000 / this.threads;
      told.push(`${millions.toPrecision(3)} M rows/s/core`);
    }
    if (beside !== undefined) {
      const times = serverMs / median(this.#besideMs);
      told.push(`${times.toFixed(2)} × ${beside.name} (${median(this.#besideMs).toFixed(2)} ms)`);
    }
    return told;
  }

  /** Returns the milliseconds of the last run. */
  async #warmUp(client: HadalClient): Promise<number> {
    const startedMs = performance.now();
    for (let run = 1; ; run++) {
      const runMs = performance.now();
      await client.query(this.query.query);
      if (this.query.beside !== undefined) await client.query(this.query.beside.query);
      const nowMs = performance.now();
      const isWarm = run >= warmUpRuns.max || nowMs - startedMs > warmUpMs;
      if (run >= warmUpRuns.min && isWarm) return nowMs - runMs;
    }
  }

  async #check(client: HadalClient, peer: Peer): Promise<void> {
    const result = await client.query(this.query.query);
    const rows = await peer.rows(textFor(peer.name, this.query, "compared"));
    const difference = disagreement(result, rows, this.query);
    if (difference !== null) this.#differences.push(`${peer.name}: ${difference}`);
  }

  async #time(client: HadalClient, cluster: Pick<BenchCluster, "pathMs">): Promise<void> {
    const startedMs = performance.now();
    let firstMs: number | null = null;
    const { stats } = await client.query(this.query.query, {
      onPartial: () => {
        firstMs ??= performance.now() - startedMs;
      },
    });
    const finalMs = performance.now() - startedMs;
    this.#finalMs.push(finalMs);
    this.#firstMs.push(firstMs ?? finalMs);
    this.#serverMs.push(stats.elapsedMs);
    this.#pathMs.push(cluster.pathMs);
    this.#bytesScanned = stats.bytesScanned;
    this.#rowsScanned = stats.rowsScanned;
  }

  async #timeBeside(client: HadalClient): Promise<void> {
    const { beside } = this.query;
    if (beside === undefined) return;
    const { stats } = await client.query(beside.query);
    this.#besideMs.push(stats.elapsedMs);
  }
}
