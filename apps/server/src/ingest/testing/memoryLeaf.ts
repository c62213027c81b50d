import { HadalError } from "@hadal/sdk";
import { decodeRowBatch } from "../../base/rowBatchCodec.js";
import type { LeafReply } from "../../cluster/leafProtocol.js";
import type { LeafIngestRequest, LeafTarget } from "../leafTarget.js";

/** What befalls one append: it works; the answer is lost; the request is lost; the leaf refuses. */
export type AppendFate = "stored" | "answer lost" | "request lost" | "full";

interface HeldBatch {
  readonly contentHash: string;
  readonly times: Float64Array;
}

/** A leaf that keeps its batches in a Map and whose connection can be made to fail. */
export class MemoryLeaf implements LeafTarget {
  state: LeafTarget["state"] = "alive";
  freeBytes = 1_000_000_000;
  readonly held = new Map<string, HeldBatch>();
  /** The fates of the next appends; "stored" when none is left. */
  fates: AppendFate[] = [];
  appends = 0;
  holdsAsked = 0;

  constructor(readonly id: string) {}

  async request(
    request: LeafIngestRequest,
    body: Uint8Array | undefined,
  ): Promise<{ readonly header: LeafReply }> {
    if (this.state === "dead") throw this.lost();
    // An answer takes at least a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    if (request.kind === "append") return { header: this.append(request, body!) };
    if (request.kind === "holds") return { header: this.holds(request.table, request.batchIds) };
    const start = `${request.table}\n`;
    const ids = [...this.held.keys()]
      .filter((key) => key.startsWith(start + request.idsStart))
      .map((key) => key.slice(start.length));
    return { header: this.holds(request.table, ids) };
  }

  rowCount(table: string): number {
    let rows = 0;
    for (const [key, batch] of this.held)
      if (key.startsWith(`${table}\n`)) rows += batch.times.length;
    return rows;
  }

  private append(
    request: Extract<LeafIngestRequest, { kind: "append" }>,
    body: Uint8Array,
  ): LeafReply {
    this.appends++;
    const fate = this.fates.shift() ?? "stored";
    if (fate === "request lost") throw this.lost();
    if (fate === "full") throw new HadalError("storage-full", { leaf: this.id, detail: "test" });
    const key = `${request.table}\n${request.batchId}`;
    const { times } = decodeRowBatch(body);
    const duplicate = this.held.get(key);
    if (duplicate !== undefined && duplicate.contentHash !== request.contentHash) {
      throw new HadalError("idempotency-conflict", { key: request.batchId });
    }
    this.held.set(key, { contentHash: request.contentHash, times });
    if (fate === "answer lost") throw this.lost();
    const { freeBytes } = this;
    return {
      kind: "appended",
      id: 1,
      rowCount: times.length,
      duplicate: duplicate !== undefined,
      freeBytes,
    };
  }

  private holds(table: string, batchIds: readonly string[]): LeafReply {
    this.holdsAsked++;
    const batches = batchIds.flatMap((batchId) => {
      const held = this.held.get(`${table}\n${batchId}`);
      if (held === undefined) return [];
      return [{ batchId, contentHash: held.contentHash, rowCount: held.times.length }];
    });
    return { kind: "holding", id: 1, batches };
  }

  private lost(): HadalError {
    return new HadalError("connection-lost", { url: this.id });
  }
}
