/** A node of a query's tree: how long its asker waited for it, and what it did itself. */
export interface TracedNode {
  /** Of a leaf its id, of an aggregator its machine. */
  readonly name: string;
  readonly role: "leaf" | "aggregator";
  /** Until its last answer; null: that did not come. */
  readonly waitMs: number | null;
  /** Merging, cutting and encoding its answer; 0 for a leaf. */
  readonly mergeMs: number;
  /** Whom it asked. */
  readonly children: readonly TracedNode[];
  /** How many requests of others were under way to a leaf; absent: its machine has not said. */
  readonly queued?: number;
}

/** What an aggregator says of itself with its last answer; how long it took is known to its asker. */
export type AnswerTrace = Pick<TracedNode, "name" | "mergeMs" | "children"> & {
  /** It said nothing; its children answered past it. */
  readonly isSilent?: true;
};

/** As it travels, since every answer has it: names of properties would be longer than their values. */
export type PrintedNode =
  | readonly [leaf: string, waitMs: number | null, queued?: number]
  | readonly [
      ...[machine: string, waitMs: number | null, mergeMs: number],
      children: readonly PrintedNode[],
    ];

export type PrintedTrace = readonly [
  ...[machine: string, mergeMs: number],
  children: readonly PrintedNode[],
];

export const printTrace = ({ name, mergeMs, children }: AnswerTrace): PrintedTrace => [
  ...([name, mergeMs] as const),
  children.map(printNode),
];

export const readTrace = ([name, mergeMs, children]: PrintedTrace): AnswerTrace => ({
  ...{ name, mergeMs, children: children.map(readNode) },
});

function printNode({ name, role, waitMs, mergeMs, children, queued }: TracedNode): PrintedNode {
  if (role === "aggregator") return [name, waitMs, mergeMs, children.map(printNode)];
  return queued === undefined ? [name, waitMs] : [name, waitMs, queued];
}

function readNode(printed: PrintedNode): TracedNode {
  if (printed.length === 4) {
    const [name, waitMs, mergeMs, children] = printed;
    return { name, role: "aggregator", waitMs, mergeMs, children: children.map(readNode) };
  }
  const [name, waitMs, queued] = printed;
  return {
    ...{ name, role: "leaf", waitMs, mergeMs: 0, children: [] },
    ...(queued !== undefined && { queued }),
  };
}
