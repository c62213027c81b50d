import type { Facets, FacetsRequest } from "../model/facets.js";
import type { Problem } from "../model/problem/problem.js";
import type { Query } from "../model/query.js";
import type { Result } from "../model/result.js";
import type { WhatChanged, WhatChangedRequest } from "../model/whatChanged.js";

/** What a client sends on the live socket. */
export type ClientFrame =
  | ({ readonly kind: "query"; readonly id: string } & AskedFor)
  | ({ readonly kind: "subscribe"; readonly id: string; readonly everyMs: number } & AskedFor)
  | { readonly kind: "facets"; readonly id: string; readonly facets: FacetsRequest }
  | { readonly kind: "what-changed"; readonly id: string; readonly whatChanged: WhatChangedRequest }
  | {
      readonly kind: "batch";
      readonly id: string;
      /** Asked again so long after the last answer; null: once. */
      readonly everyMs: number | null;
      readonly queries: readonly ({ readonly tile: string } & AskedFor)[];
    }
  /** Tiles of a batch that go first from now on. */
  | { readonly kind: "priority"; readonly id: string; readonly tiles: readonly string[] }
  | { readonly kind: "cancel"; readonly id: string };

/** The question of a frame or body: as data, or as SQL. */
export type AskedFor = { readonly query: Query } | { readonly sql: string };

/** Whether a frame is the last of its answer. */
export function isFinal(frame: AnsweringFrame | WithoutSeq<AnsweringFrame>): boolean {
  if (frame.kind === "facets") return frame.facets.final;
  return frame.kind === "what-changed" ? frame.whatChanged.final : frame.kind === "final";
}

/** A frame before it has its number in the sequence. */
export type WithoutSeq<Frame> = Frame extends { readonly seq: number } ? Omit<Frame, "seq"> : Frame;

/** A query as people give it: a text is SQL. */
export function askedFor(query: Query | string): AskedFor {
  return typeof query === "string" ? { sql: query } : { query };
}

/**
 * What the server answers. `seq` counts the frames of one query from 1; a subscription's counts on
 * over its answers.
 */
export type ServerFrame =
  | ({
      readonly kind: "partial" | "final";
      readonly id: string;
      /** Of a batch: the tile that it answers; there `seq` counts for each tile. */
      readonly tile?: string;
      readonly seq: number;
    } & Result)
  /** The last of them is `final`. */
  | {
      readonly kind: "facets";
      readonly id: string;
      readonly seq: number;
      readonly facets: Facets;
    }
  | {
      readonly kind: "what-changed";
      readonly id: string;
      readonly seq: number;
      readonly whatChanged: WhatChanged;
    }
  | {
      readonly kind: "problem";
      readonly id: string;
      readonly tile?: string;
      readonly problem: Problem;
    };

/** A frame with an answer, partial or final. */
export type AnsweringFrame = Exclude<ServerFrame, { readonly kind: "problem" }>;

/** Shortest time between two runs of a subscription, in milliseconds. */
export const everyMsMin = 250;
/** 1 MiB holds a filter of 10,000 long values; larger frames close the socket. */
export const clientFrameBytesMax = 1_048_576;
