import type { Problem } from "@hadal/sdk";
import type { PlainMessage } from "../../base/bytes/plainCodec.js";
import type { Scratch } from "../memory/scratch.js";
import type { ScanAnswer } from "../task/scanAnswer.js";

/**
 * To move an array to another thread takes some microseconds however small it is: copying this much
 * takes no longer.
 */
export const movedBytesMin = 32_768;

/** The start message of a scan thread. */
export interface ScanThreadStart {
  readonly memory: WebAssembly.Memory;
  readonly module: WebAssembly.Module;
  readonly scratch: Scratch;
}

export type ScanRequest =
  /** The task is a {@link ScanTask}. */
  | { readonly kind: "scan"; readonly task: PlainMessage }
  | { readonly kind: "cancel"; readonly id: number };

export type ScanReply =
  | { readonly kind: "ready" }
  | { readonly kind: "answer"; readonly answer: ScanAnswer }
  /** The thread stopped the task, and uses its memory no more. */
  | { readonly kind: "cancelled"; readonly id: number; readonly rowsScanned: number }
  | { readonly kind: "problem"; readonly id: number; readonly problem: Problem }
  | { readonly kind: "failure"; readonly id: number; readonly text: string };
