import type { GroupPartitionsAssigner, GroupPartitionsAssignments } from "@platformatic/kafka";

/**
 * Deals each topic's partitions out among the members that read the topic: the one with the fewest
 * gets the next. Members of a group may read different topics while its settings change.
 */
export const assignPartitions: GroupPartitionsAssigner = (_own, members, topics, metadata) => {
  const ids = [...members.keys()].sort();
  const counts = new Map(ids.map((id) => [id, 0]));
  const dealt = new Map<string, GroupPartitionsAssignments>(
    ids.map((memberId) => [memberId, { memberId, assignments: new Map() }]),
  );
  for (const topic of [...topics].sort()) {
    const readers = ids.filter((id) => members.get(id)?.topics?.includes(topic) === true);
    const partitionCount = metadata.topics.get(topic)?.partitionsCount ?? 0;
    for (let partition = 0; partition < partitionCount; partition++) {
      const [fewest] = readers.sort((a, b) => counts.get(a)! - counts.get(b)!);
      if (fewest === undefined) break;
      counts.set(fewest, counts.get(fewest)! + 1);
      const { assignments } = dealt.get(fewest)!;
      const own = assignments.get(topic) ?? { topic, partitions: [] };
      own.partitions.push(partition);
      assignments.set(topic, own);
    }
  }
  return [...dealt.values()];
};
