import { HadalError, type Result } from "@hadal/sdk";
import type { UnitSnapshot } from "../../base/row/unitSnapshot.js";
import { orStopped } from "../../base/schedule/orStopped.js";
import { StopController, type StopSignal } from "../../base/schedule/stopController.js";
import type { ResolvedQuery } from "../../plan/query/resolvedQuery.js";
import type { QueriedNode } from "../../tree/queriedNode.js";
import type { TreeAnswers } from "../../tree/treeAnswers.js";
import type { Admission, Demand } from "../admit/admission.js";
import { answersOfBranch, joinable, joinQueries, rowsKey } from "./joinQueries.js";

type OnAnswers = (answers: TreeAnswers) => void;

/** Asks leaves for the first time, alone or together with other queries. */
export type AskFirst = (onAnswers: OnAnswers) => Promise<TreeAnswers>;

/** How leaves are asked; what is left out is as the query says. */
export interface AskedLeaves {
  readonly resolved?: ResolvedQuery;
  readonly leaves?: readonly QueriedNode[];
  readonly signal?: StopSignal;
  readonly onAnswers?: OnAnswers;
  /** On the clock of the deps; left out: that of the query. */
  readonly deadline?: number;
  /** The units that an earlier answer has shown; left out: those of now. */
  readonly snapshot?: UnitSnapshot;
}

/** A query that was admitted. */
export interface SharableQuery {
  readonly resolved: ResolvedQuery;
  readonly signal: StopSignal;
  askLeaves(asked: AskedLeaves): Promise<TreeAnswers>;
  run(first?: AskFirst): Promise<Result>;
}

/** A query that waits for its turn. */
export interface WaitingQuery {
  readonly demand: Demand;
  readonly admission: Pick<Admission, "run">;
  readonly resolved: ResolvedQuery;
  /** Only those of one kind share a scan. */
  readonly kind: string;
  /** Called when it may run. It is bound again if it had to wait. */
  begin(giveBack: () => void): Promise<SharableQuery>;
}

/** A query and its promise. */
interface Waiting {
  readonly query: WaitingQuery;
  readonly resolve: (result: Result | Promise<Result>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The scans of a board: queries that begin in the same turn and are about the same rows are admitted together, and leaves
 * read the rows once for all of them. Each has its own partial answers, and is asked alone where that fails.
 */
export class SharedScans {
  #waiting: Waiting[] = [];
  #momentMs: number | null = null;
  #askedAt: number | null = null;

  /** When the first of them was asked: to others all answers are as old as that, and grow too old together. */
  askedAt(now: () => number): number {
    this.#askedAt ??= now();
    return this.#askedAt;
  }

  /** What `now` means to all queries of this turn. No row arrives before the turn is over. */
  momentMs(wallMs: () => number): number {
    if (this.#momentMs === null) {
      this.#momentMs = wallMs();
      setImmediate(() => {
        this.#momentMs = null;
      });
    }
    return this.#momentMs;
  }

  /** Runs a query when it is its turn, together with others if there are any. */
  run(query: WaitingQuery): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#start());
      this.#waiting.push({ query, resolve, reject });
    });
  }

  #start(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const group of groupsOf(waiting, ({ query }) => query)) {
      const [first] = group;
      if (group.length === 1) runAlone(first!);
      else void runTogether(group);
    }
  }
}

function runAlone({ query, resolve }: Waiting): void {
  const { admission, demand } = query;
  resolve(admission.run(demand, async (giveBack) => (await query.begin(giveBack)).run()));
}

/** Lists of those that can share a scan. */
function groupsOf<Asked>(
  all: readonly Asked[],
  queryOf: (asked: Asked) => Pick<WaitingQuery, "resolved" | "kind">,
): readonly (readonly Asked[])[] {
  const apart: Asked[][] = [];
  const byRows = new Map<string, Asked[]>();
  for (const asked of all) {
    const { resolved, kind } = queryOf(asked);
    const rows = rowsKey(resolved);
    const known = rows === null ? undefined : byRows.get(`${kind} ${rows}`);
    if (known !== undefined) known.push(asked);
    else if (rows === null) apart.push([asked]);
    else byRows.set(`${kind} ${rows}`, [asked]);
  }
  const together = [...byRows.values()].flatMap((same) =>
    joinable(same.map((asked) => ({ asked, resolved: queryOf(asked).resolved }))),
  );
  return [...apart, ...together.map((group) => group.map(({ asked }) => asked))];
}

interface Begun {
  readonly waiting: Waiting;
  readonly query: SharableQuery;
}

async function runTogether(all: readonly Waiting[]): Promise<void> {
  const stop = stopOfAll(all.map(({ query }) => query.demand.signal));
  const { admission } = all[0]!.query;
  /** What found too little memory beside the others runs by itself. */
  const again: Waiting[] = [];
  try {
    await admission.run(demandOfAll(all, stop.signal), async (giveBack) => {
      const begun: Begun[] = [];
      const begin = async (waiting: Waiting): Promise<void> => {
        try {
          begun.push({ waiting, query: await waiting.query.begin(giveBack) });
        } catch (error) {
          waiting.reject(error);
        }
      };
      await Promise.all(all.map(begin));
      // Those that had to wait are bound to other rows than before.
      const groups = groupsOf(begun, ({ waiting, query: { resolved } }) => ({
        ...{ resolved, kind: waiting.query.kind },
      }));
      await Promise.all(groups.map((group) => runGroup(group, { signal: stop.signal, again })));
    });
  } catch (error) {
    for (const { reject } of all) reject(error);
  } finally {
    stop.end();
  }
  for (const waiting of again) runAlone(waiting);
}

interface GroupRun {
  readonly signal: StopSignal;
  readonly again: Waiting[];
}

async function runGroup(group: readonly Begun[], { signal, again }: GroupRun): Promise<void> {
  const firsts = askTogether(
    group.map(({ query }) => query),
    signal,
  );
  const runOne = async ({ waiting, query }: Begun, first: AskFirst | undefined): Promise<void> => {
    try {
      waiting.resolve(await query.run(first));
    } catch (error) {
      if (error instanceof HadalError && error.code === "query-memory") again.push(waiting);
      else waiting.reject(error);
    }
  };
  await Promise.all(group.map((one, i) => runOne(one, firsts?.[i])));
}

/** One scan for all; null: each needs its own. */
function askTogether(
  queries: readonly SharableQuery[],
  signal: StopSignal,
): readonly AskFirst[] | null {
  const [one, ...others] = queries;
  const resolved = joinQueries(queries.map((query) => query.resolved));
  if (one === undefined || others.length === 0 || resolved === null) return null;
  const listeners: (OnAnswers | undefined)[] = [];
  const onAnswers = (answered: TreeAnswers): void => {
    for (const [i, listen] of listeners.entries()) {
      const own = listen === undefined ? null : answersOfBranch(answered, i);
      if (own !== null) listen?.(own);
    }
  };
  // Asked alone, each query meets its own problem.
  const scan = one.askLeaves({ resolved, signal, onAnswers }).catch(() => null);
  return queries.map((query, i) => async (listen) => {
    listeners[i] = listen;
    const answered = await orStopped(scan, query.signal);
    const own = answered === null ? null : answersOfBranch(answered, i);
    return own ?? query.askLeaves({ onAnswers: listen });
  });
}

function demandOfAll(all: readonly Waiting[], signal: StopSignal): Demand {
  const demands = all.map(({ query }) => query.demand);
  return {
    client: demands[0]!.client,
    deadline: Math.min(...demands.map(({ deadline }) => deadline)),
    cost: demands.reduce((sum, { cost }) => sum + cost, 0),
    signal,
    onWait: () => {
      for (const { onWait } of demands) onWait?.();
    },
  };
}

/** A signal that stops when all of these have; `end`: it does not listen any more. */
function stopOfAll(signals: readonly StopSignal[]): {
  readonly signal: StopSignal;
  readonly end: () => void;
} {
  const stop = new StopController();
  const check = (): void => {
    if (signals.every(({ aborted }) => aborted)) stop.abort();
  };
  for (const signal of signals) signal.addEventListener("abort", check);
  check();
  return {
    signal: stop.signal,
    end() {
      for (const signal of signals) signal.removeEventListener("abort", check);
    },
  };
}
