import { HadalError } from "@hadal/sdk";
import type { AdmissionLimits } from "../../base/limit/admissionLimits.js";
import { type TurnNames, turnNames } from "../../base/process/client.js";
import { afterMs } from "../../base/schedule/deadlines.js";
import type { StopSignal } from "../../base/schedule/stopController.js";
import type { AnswerPool } from "./answerPool.js";

/** Who asks, and for how much. */
export interface Demand {
  /** Called when there is no place at once. */
  readonly onWait?: () => void;
  /** As `clientOf` names it: places are given in turn to those who ask, however much each of them asks. */
  readonly client: string;
  /** Rows to read, once for each number computed from them. */
  readonly cost: number;
  /** On the clock of `now`; what has not begun by then is refused. */
  readonly deadline: number;
  readonly signal: StopSignal;
}

export interface AdmissionCounts {
  readonly running: number;
  readonly waiting: number;
  readonly refused: number;
  /** What answers take that have not left yet, about. */
  readonly answerBytes: number;
}

/** Some tens of milliseconds on two cores. */
export const lightCostMax = 20_000_000;

/** Of two places one person has both, of four three. */
const ownShareMax = 3 / 4;

interface Ticket extends Demand {
  /** The names by which its client has turns, the widest first. */
  readonly names: TurnNames;
  readonly enteredAt: number;
  /** The most that it waits. */
  readonly waitMs: number;
  /** Runs while nothing else does: beside others it found too little memory. */
  readonly isAlone: boolean;
  readonly admit: () => void;
}

/** What may run now. */
interface Room {
  /** Queries of no more than this. */
  readonly costMax: number;
  /** Those that came before this: one that needs the server for itself would wait for ever behind those that keep coming. */
  readonly heldBackFrom: number;
  /** Those of clients that have none running. */
  readonly isForOthers: boolean;
}

/** What decides whose turn it is. */
interface Turn {
  readonly nowMs: number;
  /** How many run of each name: by person, by address, by client. */
  readonly running: readonly ReadonlyMap<string, number>[];
}

type QueueLimits = Omit<AdmissionLimits, "cacheBytes">;

/**
 * Lets a bounded number of queries run, a bounded number wait, and refuses the others at once (`overloaded`). Of those
 * that wait the next is one of the client that has the fewest running, the lightest first; of clients with as
 * many the one that has waited for half of its time comes first, so that heavy queries are not passed over for ever.
 * Persons are compared first, then the addresses of one person, then the clients of one address.
 */
export class Admission {
  readonly #running = new Set<Ticket>();
  readonly #waiting = new Set<Ticket>();
  /** Those of them that need the server for themselves. */
  readonly #waitingAlone = new Set<Ticket>();
  #refused = 0;
  readonly #limits: QueueLimits;
  readonly #now: () => number;
  readonly #answers: AnswerPool;

  constructor(limits: QueueLimits, now: () => number, answers: AnswerPool) {
    this.#limits = limits;
    this.#now = now;
    this.#answers = answers;
    answers.onRoom = () => this.#admitNext();
  }

  get counts(): AdmissionCounts {
    return {
      ...{ running: this.#running.size, waiting: this.#waiting.size, refused: this.#refused },
      answerBytes: this.#answers.bytes,
    };
  }

  /**
   * Runs the work once there is a place for it. Work that found too little memory (`query-memory`) beside others is
   * done once more alone: only what does not fit by itself is refused for its size. Work gives its place back early
   * when it only waits.
   */
  async run<Answer>(
    demand: Demand,
    work: (giveBack: () => void) => Promise<Answer>,
  ): Promise<Answer> {
    const first = await this.#enter(demand, { isAlone: false });
    let hadCompany = false;
    try {
      hadCompany = this.#running.size > 1;
      return await work(() => this.#leave(first));
    } catch (error) {
      const isShort = error instanceof HadalError && error.code === "query-memory";
      if (!isShort || !(hadCompany || this.#running.size > 1)) throw error;
    } finally {
      this.#leave(first);
    }
    const alone = await this.#enter(demand, { isAlone: true });
    try {
      return await work(() => this.#leave(alone));
    } finally {
      this.#leave(alone);
    }
  }

  async #enter(demand: Demand, { isAlone }: Pick<Ticket, "isAlone">): Promise<Ticket> {
    const { signal, deadline } = demand;
    if (signal.aborted) throw new HadalError("cancelled");
    const enteredAt = this.#now();
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#waiting.delete(ticket);
        this.#waitingAlone.delete(ticket);
        callOff();
        signal.removeEventListener("abort", cancel);
      };
      const waitMs = Math.min(this.#limits.queueWaitMs, deadline - enteredAt);
      const ticket: Ticket = {
        ...demand,
        ...{ enteredAt, waitMs, isAlone, names: turnNames(demand.client) },
        admit: () => {
          settle();
          resolve(ticket);
        },
      };
      const cancel = (): void => {
        settle();
        reject(new HadalError("cancelled"));
        this.#admitNext();
      };
      const callOff = afterMs(waitMs, () => {
        settle();
        reject(this.#refuse(`It waited for ${Math.round(waitMs)} ms.`));
        // It may have held others back.
        this.#admitNext();
      });
      signal.addEventListener("abort", cancel, { once: true });
      this.#waiting.add(ticket);
      if (isAlone) this.#waitingAlone.add(ticket);
      // Those that wait already have no room.
      const room = this.#roomLeft();
      if (room !== null && this.#fits(ticket, room)) {
        this.#admit(ticket);
        return;
      }
      demand.onWait?.();
      if (this.#waiting.size <= this.#limits.queriesWaiting) return;
      settle();
      reject(this.#refuse(`${this.#limits.queriesWaiting} wait already (queriesWaiting).`));
    });
  }

  #leave(ticket: Ticket): void {
    if (this.#running.delete(ticket)) this.#admitNext();
  }

  #refuse(why: string): HadalError {
    this.#refused++;
    const { queriesRunning, answerMemory } = this.#limits;
    const busyWith = this.#answers.isFull
      ? `answers that have not left yet take ${answerMemory} MiB (answerMemory)`
      : `${queriesRunning} queries run at once (queriesRunning)`;
    const detail = `The server is busy: ${busyWith}. ${why}`;
    return new HadalError("overloaded", { detail });
  }

  #admitNext(): void {
    for (let next = this.#choose(); next !== null; next = this.#choose()) this.#admit(next);
  }

  #admit(ticket: Ticket): void {
    this.#running.add(ticket);
    ticket.admit();
  }

  /** The ticket whose turn it is; null: none may run now. Looks at each that waits once. */
  #choose(): Ticket | null {
    const room = this.#roomLeft();
    if (room === null) return null;
    const running = [0, 1, 2].map((level) => countsOf(this.#running, level));
    const turn: Turn = { nowMs: this.#now(), running };
    let best: Ticket | null = null;
    for (const ticket of this.#waiting) {
      if (this.#fits(ticket, room) && (best === null || isBefore(ticket, best, turn)))
        best = ticket;
    }
    return best;
  }

  /** Null where there is none for anybody. */
  #roomLeft(): Room | null {
    // One place is for light queries alone: they pass by heavy ones. One more is for those of persons who have none
    // running.
    const { queriesRunning } = this.#limits;
    const beyond = this.#running.size - queriesRunning;
    if (this.#waiting.size === 0 || beyond > 1) return null;
    if (this.#answers.isFull) return null;
    for (const { isAlone } of this.#running) if (isAlone) return null;
    let heldBackFrom = Number.POSITIVE_INFINITY;
    for (const { enteredAt } of this.#waitingAlone)
      heldBackFrom = Math.min(heldBackFrom, enteredAt);
    const costMax = beyond >= 0 ? lightCostMax : Number.POSITIVE_INFINITY;
    return { costMax, heldBackFrom, isForOthers: beyond > 0 };
  }

  #fits(
    { isAlone, enteredAt, cost, names: [person] }: Ticket,
    { costMax, heldBackFrom, isForOthers }: Room,
  ): boolean {
    if (isAlone) return this.#running.size === 0;
    if (enteredAt >= heldBackFrom || cost > costMax) return false;
    let own = 0;
    for (const running of this.#running) if (running.names[0] === person) own++;
    return own < (isForOthers ? 1 : this.#ownMax + Number(cost <= lightCostMax));
  }

  /** The most places for any query that one person may take: such queries may run for long, and others come meanwhile. */
  get #ownMax(): number {
    return Math.ceil(this.#limits.queriesRunning * ownShareMax);
  }
}

/** Who of those that may run comes first. */
function isBefore(a: Ticket, b: Ticket, { nowMs, running }: Turn): boolean {
  for (const [level, counts] of running.entries()) {
    const more = (counts.get(a.names[level]!) ?? 0) - (counts.get(b.names[level]!) ?? 0);
    if (more !== 0) return more < 0;
  }
  const [isOldA, isOldB] = [isOld(a, nowMs), isOld(b, nowMs)];
  if (isOldA !== isOldB) return isOldA;
  if (isOldA) return a.enteredAt < b.enteredAt;
  if (a.cost !== b.cost) return a.cost < b.cost;
  return a.enteredAt < b.enteredAt;
}

function countsOf(tickets: Iterable<Ticket>, level: number): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { names } of tickets) {
    const name = names[level]!;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

const isOld = ({ enteredAt, waitMs }: Ticket, nowMs: number): boolean =>
  nowMs - enteredAt > waitMs / 2;
