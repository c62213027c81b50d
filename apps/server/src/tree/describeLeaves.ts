import type { DescribeOptions, LeafRequestBody } from "../cluster/leafProtocol.js";
import type { DescribedTable, LeafReply, LeafTable } from "../cluster/leafReply.js";

/** What asking for descriptions needs of a leaf; a LeafConnection is one. */
export interface DescribedLeaf {
  readonly id: string;
  request(
    request: LeafRequestBody,
    body: undefined,
    options: { readonly timeoutMs: number },
  ): Promise<{ readonly header: LeafReply }>;
}

export interface LeafDescription {
  readonly leafId: string;
  readonly tables: readonly LeafTable[];
}

export interface DescribeLeavesOptions extends Pick<DescribeOptions, "counted"> {
  readonly timeoutMs: number;
  /** The last description of each leaf: what has not changed is not sent again. */
  readonly known: ReadonlyMap<string, LeafDescription>;
}

/** Descriptions of the leaves that give one in time. */
export async function describeLeaves(
  leaves: readonly DescribedLeaf[],
  { timeoutMs, known, counted = [] }: DescribeLeavesOptions,
): Promise<LeafDescription[]> {
  const asked = await Promise.allSettled(
    leaves.map((leaf) => describeLeaf(leaf, known.get(leaf.id)?.tables ?? [], counted, timeoutMs)),
  );
  // A leaf that does not answer is named by every query; here its last description serves on.
  return asked.flatMap((outcome) =>
    outcome.status === "rejected" || outcome.value === null ? [] : [outcome.value],
  );
}

/** Null: it answers something else. */
async function describeLeaf(
  leaf: DescribedLeaf,
  before: readonly LeafTable[],
  counted: readonly string[],
  timeoutMs: number,
): Promise<LeafDescription | null> {
  const known = before.flatMap(({ name, forms }) =>
    forms === undefined ? [] : [[name, forms] as const],
  );
  const request = { kind: "describe", known, counted } as const;
  const { header } = await leaf.request(request, undefined, { timeoutMs });
  if (header.kind !== "described") return null;
  const byName = new Map(before.map((table) => [table.name, table]));
  const tables = header.tables.map((table) => withColumns(table, byName.get(table.name)));
  return { leafId: leaf.id, tables };
}

function withColumns(table: DescribedTable, before: LeafTable | undefined): LeafTable {
  const { columns } = table;
  if (columns !== undefined) return { ...table, columns };
  if (before === undefined || before.forms !== table.forms)
    throw new Error(`a leaf did not send the columns of ${table.name}`);
  return { ...table, columns: before.columns };
}
