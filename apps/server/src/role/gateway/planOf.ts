import type { ClusterPlan, PlanOptions, TableInfo } from "@hadal/sdk";
import type { Readable } from "../../base/access/readable.js";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import { planCluster, usualGroups } from "../../planner/planCluster.js";
import type { PlanFacts } from "../../planner/planFacts.js";
import type { QueryTimings } from "../../planner/queryTimings.js";
import type { TreeSize } from "../../planner/treeShape.js";
import { ReadableCatalogue } from "../../query/bind/readableCatalogue.js";
import type { TableCatalogue } from "../../query/bind/tableCatalogue.js";

export interface PlanParts {
  readonly catalogue: TableCatalogue;
  readonly timings: Pick<QueryTimings, "costsOfKind" | "accuracyOfKind">;
  /** The running cluster. */
  readonly treeSize: () => TreeSize;
  readonly leaves: readonly Pick<LeafConnection, "status">[];
}

/** Plans a cluster: what is left out is as the running one has it. Rejects with `unknown-table`, `bad-request`. */
export async function planOf(
  asked: PlanOptions,
  readable: Readable,
  { catalogue, timings, treeSize, leaves }: PlanParts,
): Promise<ClusterPlan> {
  const running = atLeastOne(treeSize());
  const table = await findTable(asked.table, new ReadableCatalogue(catalogue, readable));
  const shape = asked.shape ?? "time-series";
  const all = await catalogue.tables();
  // Queries of all tables were measured: whoever may not read them does not learn how many rows they have.
  const isAll = all.every(({ name }) => readable.of(name)?.rows === null);
  const costs = isAll ? timings.costsOfKind(shape) : null;
  const storeBytes = leaves.flatMap(({ status }) => status?.memory.storeBytes ?? []);
  const facts: PlanFacts = {
    machines: running.machines,
    costs,
    accuracy: isAll ? timings.accuracyOfKind(shape) : null,
    isHidden: !isAll,
    bytesPerRow: table?.bytesPerRow ?? null,
    leafBytesMax: storeBytes.length === 0 ? null : Math.min(...storeBytes),
  };
  const planned = {
    machines: asked.machines ?? running.machines,
    leaves: asked.leaves ?? running.leaves,
    fanOut: asked.fanOut ?? running.fanOut,
    rows: asked.rows ?? rowsOfLeaf(table, running),
    shape,
    groups: asked.groups ?? usualGroups(shape, costs),
    table: table?.name ?? null,
    copies: asked.copies ?? 1,
  };
  return planCluster(planned, facts);
}

/** The named table, or else the largest; null: there are no rows. */
async function findTable(
  name: string | undefined,
  catalogue: ReadableCatalogue,
): Promise<TableInfo | null> {
  if (name !== undefined) return catalogue.table(name);
  const tables = await catalogue.tables();
  return tables.reduce<TableInfo | null>(
    (largest, table) => ((table.rows ?? 0) > (largest?.rows ?? 0) ? table : largest),
    null,
  );
}

/** A cluster has none while its machines are away. */
const atLeastOne = ({ machines, leaves, fanOut }: TreeSize): TreeSize => ({
  machines: Math.max(1, machines),
  leaves: Math.max(1, leaves),
  fanOut,
});

const rowsOfLeaf = (table: TableInfo | null, { machines, leaves }: TreeSize): number =>
  Math.ceil((table?.rows ?? 0) / (machines * leaves));
