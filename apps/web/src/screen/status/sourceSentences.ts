import type { SourceStatus } from "@hadal/sdk";

/** `orders → orders (4 partitions)`, a topic after the other. */
export function topicsOf({ partitions }: SourceStatus): string {
  const counts = new Map<string, number>();
  for (const { topic, table } of partitions) {
    const name = topic === table ? topic : `${topic} → ${table}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .map(([name, count]) => `${name} (${count} ${count === 1 ? "partition" : "partitions"})`)
    .join(", ");
}

/** The state with its reason. */
export const stateOf = ({ state, reason }: SourceStatus): string =>
  reason === null ? state : `${state}: ${reason}`;

/** The last message that is no row, and where it is; empty: there was none. */
export function problemOf({ problems: [last] }: SourceStatus): string {
  if (last === undefined) return "";
  return `${last.topic}/${last.partition} at ${last.offset}: ${last.detail}`;
}
