import { HadalError, type Problem } from "@hadal/sdk";
import type { UnitSnapshot } from "../base/row/unitSnapshot.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { type LeafQueryStats, type PrintedStats, printStats, readStats } from "./leafReply.js";
import { type AnswerTrace, type PrintedTrace, printTrace, readTrace } from "./treeTrace.js";

/** A machine of a tree, and the leaves to ask there. */
export interface TreeMachine {
  readonly name: string;
  /** `host:port` of its aggregator. */
  readonly address: string;
  readonly leafIds: readonly string[];
}

/** A request to an aggregator. `cancel` ends the query with that id, `cancelTree` those of that tree. */
export type TreeRequest =
  /**
   * Ask these machines, of which the receiver is the first, and merge what they answer (S71). The
   * list travels with the query: aggregators keep nothing about the tree.
   */
  | {
      readonly kind: "tree";
      readonly id: number;
      readonly query: ResolvedQuery;
      /** Time left until the deadline when the request was sent. */
      readonly budgetMs: number;
      readonly machines: readonly TreeMachine[];
      readonly fanOut: number;
      /** The units that are visible, for every leaf below. Absent: from older versions. */
      readonly snapshot?: UnitSnapshot;
      /** The same for all machines below that the root's request comes to. Absent: as above. */
      readonly treeId?: string;
    }
  | { readonly kind: "cancel"; readonly id: number; readonly queryId: number }
  /** From a machine above the one that has asked, which cannot say it. */
  | { readonly kind: "cancelTree"; readonly id: number; readonly treeId: string }
  /** Answered by `done` with the counts of its windows: a sign of life. */
  | { readonly kind: "status"; readonly id: number };

/** One leaf's share of an answer (S74). */
export interface LeafReport {
  readonly leafId: string;
  readonly done: boolean;
  readonly stats: LeafQueryStats;
}

export interface EncodedPart {
  /** Never empty; all of them are done, or none is. */
  readonly leaves: readonly LeafReport[];
  /** An encoded PartialResult. */
  readonly body: Uint8Array;
}

/** An aggregator's answer: one part of the leaves that are done, and one of those that are not. */
export interface StreamedParts {
  /** Nothing follows, though leaves may be missing. */
  readonly done: boolean;
  /** The sender's time, from the request to this answer. */
  readonly workMs: number;
  readonly parts: readonly EncodedPart[];
  /** Why leaves did not answer, for those that sent a problem. */
  readonly failures: ReadonlyMap<string, HadalError>;
  /** With the last answer: whom it asked, and what that took. */
  readonly trace?: AnswerTrace;
}

/** The header of an aggregator's answer; its body: the parts, each at a multiple of 8. */
export interface PartsReply {
  readonly kind: "parts";
  readonly id: number;
  readonly done: boolean;
  readonly workMs: number;
  readonly parts: readonly {
    readonly bytes: number;
    readonly leaves: readonly (readonly [leafId: string, done: 0 | 1, ...PrintedStats])[];
  }[];
  readonly failures: readonly (readonly [leafId: string, problem: Problem])[];
  readonly trace?: PrintedTrace;
}

/** The frame's header and body. */
export function printParts(
  id: number,
  { done, workMs, parts, failures, trace }: StreamedParts,
): { readonly header: PartsReply; readonly body: readonly Uint8Array[] } {
  const header: PartsReply = {
    ...{ kind: "parts", id, done, workMs },
    parts: parts.map(({ leaves, body }) => ({
      bytes: body.length,
      leaves: leaves.map((leaf) => [leaf.leafId, leaf.done ? 1 : 0, ...printStats(leaf.stats)]),
    })),
    failures: [...failures].map(([leafId, failed]) => [leafId, failed.toProblem()]),
    ...(trace === undefined ? {} : { trace: printTrace(trace) }),
  };
  const body = parts.flatMap((part) => [part.body, new Uint8Array(padding(part.body.length))]);
  return { header, body };
}

/** Throws when the body is shorter than its header says. */
export function readParts(reply: PartsReply, body: Uint8Array): StreamedParts {
  let at = 0;
  const parts = reply.parts.map(({ bytes, leaves }): EncodedPart => {
    const from = at;
    at += bytes + padding(bytes);
    if (from + bytes > body.length) throw new Error(`an answer's part ends after its frame`);
    if (leaves.length === 0) throw new Error("an answer's part has no leaf");
    return {
      body: body.subarray(from, from + bytes),
      leaves: leaves.map(([leafId, done, ...stats]) => ({
        ...{ leafId, done: done === 1 },
        stats: readStats(stats),
      })),
    };
  });
  const { done, workMs, trace } = reply;
  const failures = reply.failures.map(
    ([leafId, problem]) => [leafId, HadalError.fromProblem(problem)] as const,
  );
  return {
    ...{ done, workMs, parts, failures: new Map(failures) },
    ...(trace === undefined ? {} : { trace: readTrace(trace) }),
  };
}

const padding = (bytes: number): number => -bytes & 7;
