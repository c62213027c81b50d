import type { LogRange, SourceState, StateRequest } from "../base/copy/copySource.js";

/** Requests of a leaf's copy to its source; see base/copy/copySource. */
export type CopyRequest =
  | ({ readonly kind: "copyState"; readonly id: number } & StateRequest)
  | {
      readonly kind: "copySegment";
      readonly id: number;
      readonly table: string;
      readonly generation: number;
    }
  | ({ readonly kind: "copyLog"; readonly id: number; readonly table: string } & LogRange)
  | {
      readonly kind: "copyLogHash";
      readonly id: number;
      readonly table: string;
      readonly generation: number;
      readonly bytes: number;
    };

export type CopyReply =
  | ({ readonly kind: "copyState"; readonly id: number } & SourceState)
  /** Body: the bytes. */
  | { readonly kind: "copyBytes"; readonly id: number; readonly isThere: boolean }
  | { readonly kind: "copyLogHash"; readonly id: number; readonly hash: string | null };

export const isCopyRequest = <Other extends { readonly kind: string }>(
  request: Other | CopyRequest,
): request is CopyRequest =>
  request.kind === "copyState" ||
  request.kind === "copySegment" ||
  request.kind === "copyLog" ||
  request.kind === "copyLogHash";
