import { HadalError, isRelativeTime, type Query, type Result, timeoutMsDefault } from "@hadal/sdk";
import { resolveQuery } from "../../aggregate/function/resolveQuery.js";
import { afterMs } from "../../base/schedule/deadlines.js";
import type { SplitQuery } from "../../plan/query/splitQuery.js";
import type { TableSchema } from "../../plan/schema/tableSchema.js";
import { leafIdsOf } from "../../tree/queriedNode.js";
import { PathClock } from "../admit/pathClock.js";
import { queryCost, rowsInRanges } from "../admit/queryCost.js";
import { bindTo } from "../bind/bindTo.js";
import { LatePlace } from "../bind/latePlace.js";
import { rebound } from "../bind/rebind.js";
import type { DividedQuery } from "../cache/closedPart.js";
import { rowsVersion } from "../cache/rowsVersion.js";
import { AdmittedQuery, type BoundQuery } from "./admittedQuery.js";
import { closedOf, divide, fillNext, findClosed, isMoving, type KnownPart } from "./closedParts.js";
import { findAnswer, type KnownAnswer, keyOfRows } from "./knownAnswer.js";
import { PartedQuery } from "./partedQuery.js";
import type { QueryDeps, RunOptions } from "./queryDeps.js";
import type { SharableQuery, SharedScans } from "./sharedScans.js";
import { withoutWork } from "./withoutWork.js";

/** Runs a checked query to its final result. Rejects with a HadalError; what is missing stands in the result, unless `exact`. */
export async function runQuery(
  query: Query,
  deps: QueryDeps,
  options: RunOptions,
): Promise<Result> {
  const startedAt = deps.now();
  const fromHere = neverLess(options);
  return rebound(deps.catalogue, () => runBound(query, deps, startedAt, fromHere));
}

/** A query that is bound or asked again starts over: what was shown of it stays until it is surpassed. */
export function neverLess(options: RunOptions): RunOptions {
  const { onPartial } = options;
  if (onPartial === undefined) return options;
  let shown = 0;
  return {
    ...options,
    onPartial(partial) {
      if (partial.completeness.fraction < shown) return;
      shown = partial.completeness.fraction;
      onPartial(partial);
    },
  };
}

async function bindQuery(
  query: Query,
  deps: QueryDeps,
  scans: SharedScans | undefined,
): Promise<BoundQuery> {
  const functions = deps.functions();
  const nowMs = scans?.momentMs(deps.wallMs) ?? deps.wallMs();
  const bind = (schema: TableSchema): SplitQuery => resolveQuery(query, schema, nowMs, functions);
  const rowsOf = ({ resolved }: SplitQuery) => resolved;
  const asked = { table: query.table, asked: query };
  return { split: await bindTo({ ...asked, bind, rowsOf }, deps.catalogue), functions };
}

/** A leaf that hangs while it is asked for its columns keeps no query beyond its deadline. */
function bindInTime(
  query: Query,
  deps: QueryDeps,
  deadline: number,
  scans: SharedScans | undefined,
): Promise<BoundQuery> {
  return new Promise((resolve, reject) => {
    const callOff = afterMs(deadline - deps.now(), () => {
      const missing = deps.leaves().flatMap(leafIdsOf).join(", ") || "there are none";
      reject(new HadalError("no-leaves", { missing }));
    });
    bindQuery(query, deps, scans).then(resolve, reject).finally(callOff);
  });
}

/** Rejects with what asking the query would be refused with before any row is read. */
export async function checkBinding(query: Query, deps: QueryDeps): Promise<void> {
  await bindQuery(query, deps, undefined);
}

/** Binds the query, and answers it with what is known, or waits for its turn and runs it. */
async function runBound(
  query: Query,
  deps: QueryDeps,
  startedAt: number,
  options: RunOptions,
): Promise<Result> {
  const deadline = startedAt + (query.timeoutMs ?? timeoutMsDefault);
  options.onBegin?.();
  const bound = await bindInTime(query, deps, deadline, options.scans);
  nameRows(query, bound, deps, options);
  const run = new BoundRun({ query, bound, deps, options, startedAt, deadline });
  const { cache } = options;
  if (cache?.mayFind !== true) return run.inTurn();
  const known = isMoving(query) ? null : await findAnswer(bound.split, deps, cache);
  if (known !== null) return run.again(known);
  const divided = divide(bound.split, deps);
  if (divided === null) return run.inTurn();
  const closed = await findClosed(bound.split, divided, deps, cache);
  const result = await run.inTurn(closed === null ? undefined : { ...closed, divided });
  if (closed === null) fillNext(result, bound.split, divided, deps, cache);
  else cache.answers.shapes.noteAsked(divided.shape);
  return result;
}

interface BoundRunParts {
  readonly query: Query;
  readonly bound: BoundQuery;
  readonly deps: QueryDeps;
  readonly options: RunOptions;
  readonly startedAt: number;
  readonly deadline: number;
}

type KnownClosed = KnownPart & { readonly divided: DividedQuery };

/** One run of a query that is bound. */
class BoundRun {
  readonly #parts: BoundRunParts;
  readonly #path: PathClock;
  #hasWaited = false;

  constructor(parts: BoundRunParts) {
    this.#parts = parts;
    this.#path = new PathClock(parts.deps.now);
  }

  /** Gives an answer that is known: no leaf is asked. */
  async again(known: KnownAnswer): Promise<Result> {
    const { bound, deps, startedAt } = this.#parts;
    const result = await this.#admitted(bound, () => undefined, known.asOf).finishKnown(known);
    return withoutWork(result, "hit", { elapsedMs: deps.now() - startedAt });
  }

  /** Waits for its turn, and asks leaves; of a closed part that is known, for the rest. */
  inTurn(known?: KnownClosed): Promise<Result> {
    const { query, bound, deps, options, deadline } = this.#parts;
    const { client = "", signal, scans } = options;
    const resolved = known?.divided.open ?? bound.split.resolved;
    const demand = {
      ...{ client, deadline, signal },
      cost: queryCost(resolved, resolved.states.length, deps.expectedRows),
      onWait: () => {
        this.#hasWaited = true;
        options.onWait?.();
      },
    };
    const begin = (giveBack: () => void): Promise<SharableQuery> => this.#begin(giveBack, known);
    const runInTurn = (): Promise<Result> =>
      scans === undefined
        ? deps.admission.run(demand, async (giveBack) => (await begin(giveBack)).run())
        : scans.run({ demand, admission: deps.admission, resolved, kind: kindOf(query), begin });
    return deps.rowQuota.run(client, () => rowsInRanges(resolved, deps.expectedRows), runInTurn);
  }

  async #begin(giveBack: () => void, known: KnownClosed | undefined): Promise<SharableQuery> {
    const { query, deps, options, deadline } = this.#parts;
    let { bound } = this.#parts;
    if (this.#hasWaited) {
      options.onBegin?.();
      bound = await bindInTime(query, deps, deadline, options.scans);
      nameRows(query, bound, deps, options);
    }
    const whole = this.#admitted(bound, giveBack);
    const divided = known === undefined ? null : divide(bound.split, deps);
    if (known === undefined || divided === null) return whole;
    const closed = closedOf(bound.split, divided);
    const isClosed = (): boolean => keyOfRows(closed, deps) === known.key;
    // It may have waited until the closed part is another one.
    return isClosed() ? new PartedQuery({ ...known, whole, divided, isClosed }) : whole;
  }

  #admitted(bound: BoundQuery, giveBack: () => void, asOf?: number): AdmittedQuery {
    const { query, deps, options, startedAt, deadline } = this.#parts;
    const place = new LatePlace(giveBack, deps.now(), deps.now);
    const times = { startedAt, deadline, hasWaited: this.#hasWaited, path: this.#path, place };
    const moment = asOf === undefined ? {} : { asOf };
    return new AdmittedQuery({ query, bound, deps, times, options, ...moment });
  }
}

/** Of a range that ends with the moment of asking, later rows too: whoever asks now means these as well. */
function nameRows(
  { to }: Query,
  { split }: BoundQuery,
  deps: QueryDeps,
  { onBound }: RunOptions,
): void {
  if (onBound === undefined) return;
  const { table, sides } = split.resolved;
  const named = !isRelativeTime(to)
    ? sides
    : sides.map(({ fromMs }) => ({ fromMs, toMs: Number.POSITIVE_INFINITY }));
  const { expectedRows, leafStates = () => "" } = deps;
  onBound(() => rowsVersion({ table, sides: named }, { expectedRows, leafStates }));
}

/** Queries of different kinds are not asked together: leaves are waited for as long as each allows. */
const kindOf = ({ timeoutMs = timeoutMsDefault, exact = false }: Query): string =>
  `${timeoutMs} ${exact}`;
