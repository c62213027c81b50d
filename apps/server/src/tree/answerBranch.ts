import { HadalError } from "@hadal/sdk";
import type { SecondQuestion } from "../aggregate/cut/askedGroups.js";
import { cutSteps } from "../aggregate/cut/cutGroups.js";
import { leaveOutGroups } from "../aggregate/cut/leaveOutGroups.js";
import { mergedCutSteps } from "../aggregate/cut/mergedCut.js";
import { mergeSteps } from "../aggregate/merge/mergePartials.js";
import type { PartialResult } from "../aggregate/partial/partialResult.js";
import { BusyClock } from "../base/schedule/busyClock.js";
import { afterMs } from "../base/schedule/deadlines.js";
import { inTurns } from "../base/schedule/steps.js";
import { StopController, type StopSignal } from "../base/schedule/stopController.js";
import type { LeafReport } from "../cluster/treeProtocol.js";
import type { TracedNode } from "../cluster/treeTrace.js";
import { branchQuery } from "../plan/query/branchQuery.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { AskedNodes } from "./askedNodes.js";
import { type AskOnceOptions, askOnce, type OnAnswer } from "./askOnce.js";
import { askedFor, standsFor } from "./completeGroups.js";
import type { PartAnswer } from "./partAnswer.js";
import { leafIdsOf, type QueriedNode } from "./queriedNode.js";
import { shownBy } from "./sameMoment.js";

export interface BranchOptions extends AskOnceOptions {
  readonly nodes: readonly QueriedNode[];
  /** Called at most every 50 ms, less often where merging takes long; each answer replaces the one before. */
  readonly onAnswer: (answer: BranchAnswer) => Promise<void>;
}

/** What an aggregator sends upwards. */
export interface BranchAnswer {
  readonly parts: readonly MergedPart[];
  readonly failures: ReadonlyMap<string, HadalError>;
}

/** The last answer, and what it took. */
export interface LastBranchAnswer extends BranchAnswer {
  readonly asked: readonly TracedNode[];
  /** Merging and cutting, without waiting for second questions. */
  readonly mergeMs: number;
}

export interface MergedPart {
  /** Never empty; all of them are done, or none is. */
  readonly leaves: readonly LeafReport[];
  readonly partial: PartialResult;
}

const sendEveryMs = 50;
/** Answers before the last take at most this share of an aggregator's time. */
const partialShare = 0.25;
/** Of the time that there is, for the second question. */
const againShare = 0.1;

/**
 * Asks nodes in parallel and merges what they answer, so that the asker sees one leaf with all their
 * rows: cut to the best groups, each number complete, with a bound of what was cut (S72–S75).
 * Resolves with the last answer, at the deadline with what has come. Rejects with a problem of the
 * query, or `cancelled`.
 */
export async function answerBranch(options: BranchOptions): Promise<LastBranchAnswer> {
  const { signal, nodes, now, deadline } = options;
  if (signal.aborted) throw new HadalError("cancelled");
  const controller = new StopController();
  const stopAll = (): void => controller.abort();
  signal.addEventListener("abort", stopAll, { once: true });
  // Late nodes leave time to ask the others again.
  const cancelDeadline = afterMs((1 - againShare) * (deadline - now()), stopAll);
  const collected = new CollectedParts(options);
  const asking = { ...options, signal: controller.signal };
  try {
    await Promise.all(
      nodes.map(async (node) => {
        const failed = await askOnce(node, asking, (answer, sent) =>
          collected.add(node, answer, sent),
        );
        if (failed !== null) collected.fail(node, failed);
      }),
    );
  } finally {
    collected.stop();
    cancelDeadline();
    signal.removeEventListener("abort", stopAll);
    controller.abort();
  }
  if (signal.aborted) throw new HadalError("cancelled");
  return collected.last();
}

/** `merging` measures what merging takes. */
type CompletingOptions = BranchOptions & { readonly merging: BusyClock };

/** The latest answer of each node. */
class CollectedParts {
  readonly #options: BranchOptions;
  readonly #latest = new Map<string, readonly PartAnswer[]>();
  readonly #failures = new Map<string, ReadonlyMap<string, HadalError>>();
  #sentAt: number;
  #pauseMs = sendEveryMs;
  #callOff: (() => void) | null = null;
  #isStopped = false;
  readonly #asked: AskedNodes;
  readonly #merging: BusyClock;

  constructor(options: BranchOptions) {
    this.#options = options;
    this.#sentAt = options.now();
    this.#asked = new AskedNodes(options.nodes);
    this.#merging = new BusyClock(options.now);
  }

  add(node: QueriedNode, answer: readonly PartAnswer[], sent: Parameters<OnAnswer>[1]): void {
    if (this.#isStopped) return;
    this.#latest.set(node.id, answer);
    this.#asked.note(node, sent);
    if (sent.failures !== undefined) this.#failures.set(node.id, sent.failures);
    const waitMs = Math.max(0, this.#sentAt + this.#pauseMs - this.#options.now());
    this.#callOff ??= afterMs(waitMs, () => this.#send());
  }

  fail(node: QueriedNode, failed: HadalError): void {
    this.#failures.set(node.id, new Map(leafIdsOf(node).map((leafId) => [leafId, failed])));
  }

  stop(): void {
    this.#isStopped = true;
    this.#callOff?.();
  }

  async last(): Promise<LastBranchAnswer> {
    const { done, open } = this.#split();
    const parts: MergedPart[] = [];
    if (done.length > 0) {
      const partial = await completeParts(done, { ...this.#options, merging: this.#merging });
      parts.push({ leaves: reportsOf(done), partial });
    }
    if (open.length > 0) parts.push(await this.#openPart(open));
    const mergeMs = this.#merging.elapsedMs;
    return { parts, failures: this.#allFailures(), asked: this.#asked.all, mergeMs };
  }

  #send(): void {
    // Where it fails, the last answer or the asker's cancel says why.
    this.#sendPart().catch(() => undefined);
  }

  async #sendPart(): Promise<void> {
    const { now, onAnswer } = this.#options;
    const startedAt = now();
    const answer = await this.#partAnswer();
    if (!this.#isStopped) await onAnswer(answer);
    this.#sentAt = now();
    this.#pauseMs = Math.max(sendEveryMs, (this.#sentAt - startedAt) / partialShare);
    this.#callOff = null;
  }

  async #partAnswer(): Promise<BranchAnswer> {
    const { done, open } = this.#split();
    // While nodes have not been asked again, no number of a group that one of them cut is complete.
    const isLacking = done.length > 1 && done.some(({ partial }) => isCut(partial));
    const parts: MergedPart[] = [];
    if (done.length > 0 && !isLacking) {
      parts.push({ leaves: reportsOf(done), partial: await this.#mergeAndCut(done) });
    }
    const rest = isLacking ? [...done, ...open] : open;
    if (rest.length > 0) parts.push(await this.#openPart(rest));
    return { parts, failures: this.#allFailures() };
  }

  async #openPart(parts: readonly PartAnswer[]): Promise<MergedPart> {
    const leaves = reportsOf(parts).map((leaf) => ({ ...leaf, done: false }));
    return { leaves, partial: await this.#mergeAndCut(parts) };
  }

  async #mergeAndCut(parts: readonly PartAnswer[]): Promise<PartialResult> {
    const { resolved, signal } = this.#options;
    return this.#merging.time(async () => {
      const merged = await mergeParts(parts, resolved, signal);
      return isCuttable(resolved) ? inTurns(cutSteps(merged, resolved), signal) : merged;
    });
  }

  #split() {
    const answers = [...this.#latest.values()].flat();
    return {
      done: answers.filter(({ done }) => done),
      open: answers.filter(({ done }) => !done),
    };
  }

  #allFailures(): ReadonlyMap<string, HadalError> {
    return new Map([...this.#failures.values()].flatMap((ofNode) => [...ofNode]));
  }
}

const reportsOf = (parts: readonly PartAnswer[]): readonly LeafReport[] =>
  parts.flatMap(({ leaves }) => leaves);

const isCut = ({ sides, branches = [] }: PartialResult): boolean =>
  sides.some(({ groupsCut }) => groupsCut > 0) ||
  branches.some((branch) => branch !== null && isCut(branch));

/** Rows are limited where they are merged; groups that were asked for are all sent. */
const isCuttable = ({ sample, only }: ResolvedQuery): boolean =>
  sample === null && only === undefined;

async function mergeParts(
  parts: readonly PartAnswer[],
  resolved: ResolvedQuery,
  signal: StopSignal,
): Promise<PartialResult> {
  const partials = parts.map(({ partial }) => partial);
  return inTurns(mergeSteps(partials, resolved), signal);
}

/** Merges parts that are done, cuts them, and asks for what nodes cut of the groups that stay. */
async function completeParts(
  parts: readonly PartAnswer[],
  options: CompletingOptions,
): Promise<PartialResult> {
  const { resolved, signal, merging } = options;
  const merged = await merging.time(() => mergeParts(parts, resolved, signal));
  if (!isCuttable(resolved)) return merged;
  const { branches } = resolved;
  if (branches === undefined) return completeCut(parts, merged, options);
  const completed = (merged.branches ?? []).map(async (partial, i) => {
    if (partial === null) return null;
    const asked = branchQuery(resolved, branches[i]!);
    const own = parts.map((part) => ({ ...part, partial: part.partial.branches![i]! }));
    return completeCut(own, partial, { ...options, resolved: asked });
  });
  return { ...merged, branches: await Promise.all(completed) };
}

async function completeCut(
  parts: readonly PartAnswer[],
  merged: PartialResult,
  options: CompletingOptions,
): Promise<PartialResult> {
  const { resolved, signal, merging } = options;
  const cut = await merging.time(() => inTurns(mergedCutSteps(parts, merged, resolved), signal));
  const { question, bounds } = cut;
  const grows = parts.every(({ partial }) => partial.grows === true);
  const kept = grows ? { ...cut.kept, grows } : cut.kept;
  if (question === null) return withBounds(kept, bounds);
  const { found, lacking } = await askAgain(parts, question, options);
  // The groups of which a node did not send its part are left out: their values are not known.
  const left = lacking.map((partId) => question.of(partId));
  const partials = leaveOutGroups([kept, ...found.map(withoutCut)], left, resolved);
  const { sides } = await merging.time(() => inTurns(mergeSteps(partials, resolved), signal));
  const complete = { ...kept, sides };
  return withBounds(complete, bounds && lacking.length > 0 ? { unsentMax: Infinity } : bounds);
}

function withBounds(
  partial: PartialResult,
  bounds: { readonly unsentMax?: number; readonly cutRanks?: Float64Array } | null,
): PartialResult {
  if (bounds === null) return partial;
  return { ...partial, sides: partial.sides.map((side) => ({ ...side, ...bounds })) };
}

/** What was asked for did not count as cut off. */
const withoutCut = ({ partial }: PartAnswer): PartialResult => ({
  ...partial,
  sides: partial.sides.map((side) => ({ ...side, groupsCut: 0 })),
});

/** `lacking`: the parts that did not answer, or lost rows since. */
async function askAgain(
  parts: readonly PartAnswer[],
  question: SecondQuestion,
  options: BranchOptions,
): Promise<{ readonly found: readonly PartAnswer[]; readonly lacking: readonly string[] }> {
  const found: PartAnswer[] = [];
  const lacking: string[] = [];
  await Promise.all(
    parts.map(async (before) => {
      const only = question.of(before.partId);
      if (only.groupCount === 0) return;
      let latest: readonly PartAnswer[] = [];
      const snapshot = shownBy(before.leaves, options.snapshot);
      await askOnce(askedFor(only, before.source), { ...options, snapshot }, (answer) => {
        latest = answer;
      });
      const after = latest.find(({ partId }) => partId === before.partId);
      if (after !== undefined && standsFor(before, after)) found.push(after);
      else lacking.push(before.partId);
    }),
  );
  return { found, lacking };
}
