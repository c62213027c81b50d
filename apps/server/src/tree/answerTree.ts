import { HadalError } from "@hadal/sdk";
import { encodePartialSteps } from "../aggregate/merge/partialCodec.js";
import { roundMs } from "../base/schedule/roundMs.js";
import { inTurns } from "../base/schedule/steps.js";
import type { PartsAnswer } from "../cluster/aggregatorSession.js";
import type { QueryContext } from "../cluster/leafHandlers.js";
import type { EncodedPart, TreeMachine } from "../cluster/treeProtocol.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { answerBranch, type BranchAnswer } from "./answerBranch.js";
import type { LeafQueues } from "./copies/leafQueues.js";
import { nodesOfMachines, type TreeOptions } from "./machineNodes.js";
import type { QueriedNode } from "./queriedNode.js";
import { inWindow } from "./window/throughWindow.js";

export interface TreeQuestion {
  readonly query: ResolvedQuery;
  /** The first is this machine. */
  readonly machines: readonly TreeMachine[];
  /** Absent: the asker is of an older version. */
  readonly treeId?: string;
}

export interface AnsweringMachine extends Omit<TreeOptions, "fanOut" | "treeId"> {
  /** A leaf of this machine; undefined: it has none with that id. */
  readonly leafOf: (leafId: string) => QueriedNode | undefined;
  /** Of its leaves; absent: it does not say how busy they are. */
  readonly queues?: LeafQueues;
  /** For the log. */
  readonly onError: (text: string, error: unknown) => void;
}

/** What an answer needs for its way to the asker: this share of the time, at most this long. */
const marginShare = 0.1;
const marginMsMax = 50;

/**
 * Answers for machines: asks the leaves of this one and, through at most `fanOut` - 1 of the others,
 * all others' (S71, S73). `onAnswer` hears answers before the last.
 */
export async function answerTree(
  { query, machines, fanOut, treeId }: TreeQuestion & Pick<TreeOptions, "fanOut">,
  { signal, deadline, snapshot }: QueryContext,
  { leafOf, linkTo, windows, queues, onError }: AnsweringMachine,
  onAnswer: (answer: PartsAnswer) => void,
): Promise<PartsAnswer> {
  const [own, ...others] = machines;
  const leaves = (own?.leafIds ?? []).map((id) => {
    const leaf = leafOf(id) ?? unknownLeaf(id);
    const counted = queues?.counted(leaf) ?? leaf;
    return windows === undefined ? counted : inWindow(counted, windows.leaves);
  });
  const tree = { fanOut, linkTo, ...(windows && { windows }), ...(treeId && { treeId }) };
  const partCount = Math.max(1, fanOut - 1);
  const nodes = [...leaves, ...nodesOfMachines(others, partCount, tree)];
  const now = (): number => performance.now();
  const marginMs = Math.min(marginMsMax, marginShare * (deadline - now()));
  let isOver = false;
  const encode = (answer: BranchAnswer) => encodeAnswer(answer, query, signal);
  const last = await answerBranch({
    ...{ resolved: query, nodes, signal, now, onError, deadline: deadline - marginMs },
    ...(snapshot && { snapshot }),
    async onAnswer(answer) {
      const encoded = await encode(answer);
      if (!isOver) onAnswer(encoded);
    },
  });
  isOver = true;
  const mergedMs = now();
  const encoded = await encode(last);
  const mergeMs = roundMs(last.mergeMs + now() - mergedMs);
  const children = last.asked.map((node) =>
    node.role === "aggregator" || queues === undefined
      ? node
      : { ...node, queued: queues.lengthOf(node.name) },
  );
  return { ...encoded, trace: { name: own?.name ?? "", mergeMs, children } };
}

const unknownLeaf = (id: string): QueriedNode => ({
  id,
  streamQuery: () =>
    Promise.reject(new HadalError("connection-lost", { url: `${id} (not of this machine)` })),
});

async function encodeAnswer(
  { parts, failures }: BranchAnswer,
  query: ResolvedQuery,
  signal: QueryContext["signal"],
): Promise<PartsAnswer> {
  const encoded: EncodedPart[] = [];
  for (const { leaves, partial } of parts) {
    encoded.push({ leaves, body: await inTurns(encodePartialSteps(partial, query), signal) });
  }
  return { parts: encoded, failures };
}
