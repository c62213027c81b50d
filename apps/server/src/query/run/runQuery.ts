import { HadalError, type Query, type Result, timeoutMsDefault } from "@hadal/sdk";
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
import { AdmittedQuery, type BoundQuery } from "./admittedQuery.js";
import type { QueryDeps, RunOptions } from "./queryDeps.js";
import type { SharedScans } from "./sharedScans.js";

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

/** Binds the query, waits for its turn, and runs it. */
async function runBound(
  query: Query,
  deps: QueryDeps,
  startedAt: number,
  options: RunOptions,
): Promise<Result> {
  const path = new PathClock(deps.now);
  const deadline = startedAt + (query.timeoutMs ?? timeoutMsDefault);
  options.onBegin?.();
  const first = await bindInTime(query, deps, deadline, options.scans);
  const { resolved } = first.split;
  let hasWaited = false;
  const { client = "", signal, scans } = options;
  const demand = {
    ...{ client, deadline, signal },
    cost: queryCost(resolved, resolved.states.length, deps.expectedRows),
    onWait: () => {
      hasWaited = true;
      options.onWait?.();
    },
  };
  const begin = async (giveBack: () => void): Promise<AdmittedQuery> => {
    if (hasWaited) options.onBegin?.();
    const bound = hasWaited ? await bindInTime(query, deps, deadline, scans) : first;
    const place = new LatePlace(giveBack, deps.now(), deps.now);
    const times = { startedAt, deadline, hasWaited, path, place };
    return new AdmittedQuery({ query, bound, deps, times, options });
  };
  const runInTurn = (): Promise<Result> =>
    scans === undefined
      ? deps.admission.run(demand, async (giveBack) => (await begin(giveBack)).run())
      : scans.run({ demand, admission: deps.admission, resolved, kind: kindOf(query), begin });
  return deps.rowQuota.run(client, () => rowsInRanges(resolved, deps.expectedRows), runInTurn);
}

/** Queries of different kinds are not asked together: leaves are waited for as long as each allows. */
const kindOf = ({ timeoutMs = timeoutMsDefault, exact = false }: Query): string =>
  `${timeoutMs} ${exact}`;
