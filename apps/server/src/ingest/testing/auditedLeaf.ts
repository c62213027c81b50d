import { hashDays, totalHash } from "../../base/row/minuteHash.js";
import type { LeafRequestBody } from "../../cluster/leafProtocol.js";
import type { LeafReply, LostColumnRows } from "../../cluster/leafReply.js";
import { minuteMs } from "../ledger/minuteCounts.js";
import type { LeafIngestRequest } from "../place/leafTarget.js";
import { MemoryLeaf } from "./memoryLeaf.js";

/**
 * A leaf in memory that can lose batches, and reports its expected rows as a real one does. It has
 * one table, `t`.
 */
export class AuditedLeaf extends MemoryLeaf {
  /** Rows it knows to be lost, per minute. */
  readonly #lostMinutes = new Map<number, number>();
  #unknownLoss: string | null = null;
  /** Rows that it stored, present or lost. */
  everStored = 0;
  lostColumns: readonly LostColumnRows[] = [];
  minutesAsked = 0;

  override async request(
    request: LeafIngestRequest | LeafRequestBody,
    body: Uint8Array | undefined,
  ): Promise<{ readonly header: LeafReply }> {
    if (request.kind === "append" || request.kind === "takeAside") {
      const before = this.rowCount("t");
      return super.request(request, body).finally(() => {
        this.everStored += this.rowCount("t") - before;
      });
    }
    if (isOfIngest(request)) return super.request(request, body);
    if (this.state === "dead") throw new Error("a dead leaf was asked");
    await new Promise((resolve) => setImmediate(resolve));
    return { header: this.#reply(request) };
  }

  /** Loses its first batch. Its manifests may have the number of these rows, or not. */
  lose(what: "counted" | "unknown" | "silent"): void {
    const [first] = this.held;
    if (first === undefined) return;
    this.held.delete(first[0]);
    if (what === "unknown") this.#unknownLoss = "log-1.hdl is damaged";
    if (what !== "counted") return;
    for (const [minute, rows] of minutesOf([...first[1].times]))
      this.#lostMinutes.set(minute, (this.#lostMinutes.get(minute) ?? 0) + rows);
  }

  get hasUnknownLoss(): boolean {
    return this.#unknownLoss !== null;
  }

  #reply(request: LeafRequestBody): LeafReply {
    const minutes = minutesOf([...this.held.values()].flatMap(({ times }) => [...times]));
    for (const [minute, rows] of this.#lostMinutes)
      minutes.set(minute, (minutes.get(minute) ?? 0) + rows);
    const days = hashDays(minutes);
    switch (request.kind) {
      case "holdings": {
        const rowsLost = [...this.#lostMinutes.values()].reduce((sum, rows) => sum + rows, 0);
        const lostBecause = rowsLost > 0 ? "segment-1.hds could not be read" : null;
        const unknownLoss = this.#unknownLoss;
        const table = { name: "t", hash: totalHash(days), rowsLost, lostBecause, unknownLoss };
        const { lostColumns } = this;
        return {
          ...{ kind: "holdings", id: 1, unreadFolders: [] },
          tables: [{ ...table, lostColumns }],
        };
      }
      case "heldDays": {
        // One day an answer, so that there is always a next one to ask for.
        const left = [...days].sort(([a], [b]) => a - b);
        const from = left.filter(([day]) => request.fromDay === null || day >= request.fromDay);
        const [first, next] = from;
        return {
          ...{ kind: "heldDays", id: 1, days: first === undefined ? [] : [first[0]] },
          hashes: first === undefined ? [] : [first[1]],
          nextDay: next?.[0] ?? null,
        };
      }
      case "heldMinutes": {
        this.minutesAsked++;
        const wanted = [...minutes].filter(([minute]) =>
          request.days.includes(Math.floor(minute / 1_440)),
        );
        return {
          ...{ kind: "heldMinutes", id: 1, minutes: wanted.map(([minute]) => minute) },
          counts: wanted.map(([, rows]) => rows),
        };
      }
      default:
        throw new Error(`${request.kind} is not for this leaf`);
    }
  }
}

const kindsOfIngest = [
  "fence",
  "settle",
  "undecided",
  "holds",
  "holdsOfBody",
  "setAside",
  "dropAside",
  "asides",
];

function isOfIngest(request: LeafIngestRequest | LeafRequestBody): request is LeafIngestRequest {
  return kindsOfIngest.includes(request.kind);
}

function minutesOf(times: readonly number[]): Map<number, number> {
  const minutes = new Map<number, number>();
  for (const time of times) {
    const minute = Math.floor(time / minuteMs);
    minutes.set(minute, (minutes.get(minute) ?? 0) + 1);
  }
  return minutes;
}
