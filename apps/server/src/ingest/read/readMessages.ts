import type { Problem } from "@hadal/sdk";
import type { EncodedBatch } from "../place/outgoingBatch.js";
import type { CutPart, ReadOutcome, ReadProgress, ReadRequest } from "./bodyReader.js";
import type { ShareRange } from "./dealRows.js";

/** The start message of a reading thread. */
export interface ReadThreadStart {
  /** The kernel module that reads lines of JSON. */
  readonly jsonModule: WebAssembly.Module;
  readonly seed: bigint;
}

/** Requests about a body that was read. */
export type BodyCall =
  | {
      readonly kind: "cut";
      readonly batch: number;
      readonly batchId: string;
      readonly ranges: readonly ShareRange[];
    }
  | { readonly kind: "encode"; readonly part: number };

/** Each but the first is about a body that was begun. */
export type ReadMessage =
  | { readonly kind: "read"; readonly id: number; readonly request: ReadRequest }
  | { readonly kind: "block"; readonly id: number; readonly bytes: Uint8Array }
  | { readonly kind: "end"; readonly id: number }
  /** There is room so far: answers `cover`. */
  | { readonly kind: "covered"; readonly id: number; readonly bodyBytes: number }
  | { readonly kind: "call"; readonly id: number; readonly call: number; readonly ask: BodyCall }
  /** Also for a body that is still being read: its request has ended. */
  | { readonly kind: "close"; readonly id: number };

/** The call that a body's outcome answers. */
export const readingCall = 0;

export type ReadReply =
  /** A block was begun: another one may come. */
  | { readonly kind: "taken"; readonly id: number }
  /** The thread asks for room. */
  | { readonly kind: "cover"; readonly id: number; readonly progress: ReadProgress }
  | {
      readonly kind: "answer";
      readonly id: number;
      readonly call: number;
      readonly value: ReadOutcome | readonly (CutPart | null)[] | EncodedBatch;
    }
  | {
      readonly kind: "problem";
      readonly id: number;
      readonly call: number;
      readonly problem: Problem;
    }
  | {
      readonly kind: "failure";
      readonly id: number;
      readonly call: number;
      readonly text: string;
    };
