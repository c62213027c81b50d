import type { BatchSender } from "../../base/row/batchSender.js";
import type { UnitStamp } from "../../base/row/unitSnapshot.js";
import type { LeafRequestBody } from "../../cluster/leafProtocol.js";
import type { LeafReply } from "../../cluster/leafReply.js";

/** A request as the ingest sends it; the connection adds its id. */
export type LeafIngestRequest =
  | Extract<LeafRequestBody, { readonly kind: "fence" | "settle" | "undecided" }>
  | {
      readonly kind: "append";
      readonly table: string;
      readonly batchId: string;
      readonly contentHash: string;
      readonly durable: boolean;
      readonly sender?: BatchSender;
      readonly unit?: UnitStamp;
    }
  | { readonly kind: "holds"; readonly table: string; readonly batchIds: readonly string[] }
  | { readonly kind: "holdsOfBody"; readonly table: string; readonly idsStart: string }
  | {
      readonly kind: "setAside";
      readonly table: string;
      readonly batchId: string;
      readonly contentHash: string;
      readonly sender?: BatchSender;
    }
  | {
      readonly kind: "takeAside";
      readonly table: string;
      readonly batchId: string;
      readonly sender?: BatchSender;
    }
  | {
      readonly kind: "dropAside";
      readonly table: string;
      readonly batchId: string;
      readonly sender?: BatchSender;
    }
  | { readonly kind: "asides"; readonly after: string | null }
  | {
      readonly kind: "awaitCopy";
      readonly table: string;
      readonly batchIds: readonly string[];
      readonly waitMs: number;
    };

/**
 * The parts of a leaf connection that the ingest uses. `request` resolves with the leaf's reply; a
 * `problem` may be a reply or a HadalError. It rejects with another error, or with
 * `connection-lost` or `leaf-unreachable`, when no answer came: then the leaf may have acted or
 * not. `holds` is answered after the appends that reached the leaf before; an append still on its
 * way over an older connection is dropped.
 */
export interface LeafTarget {
  readonly id: string;
  readonly state: "alive" | "suspect" | "dead";
  readonly freeBytes: number;
  /** Absent or null: it has not said anything of itself yet. */
  readonly status?: { readonly takesUnits?: true; readonly areUnitsUnsure?: true } | null;
  request(
    request: LeafIngestRequest,
    body: Uint8Array | undefined,
    options: { readonly timeoutMs: number },
  ): Promise<{ readonly header: LeafReply }>;
}
