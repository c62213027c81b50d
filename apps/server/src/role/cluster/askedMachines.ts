import type { TreeMachine } from "../../cluster/treeProtocol.js";
import type { Member } from "../../registry/member/members.js";
import { copyHolders, lastHolder } from "./copyPlacement.js";

export interface AskedMachines {
  /** Each partition at one machine: its home, or, while that is silent or drained, one that has a copy. */
  readonly machines: readonly TreeMachine[];
  /** Where to ask a partition that the first machine does not answer: a machine with that one alone. */
  readonly second: ReadonlyMap<string, SecondMachine>;
}

export interface SecondMachine extends TreeMachine {
  /** It holds a whole copy of the partition, and the first one is its home. */
  readonly isCopy: boolean;
}

/** Which machine the next query asks for which partition. */
export function askedMachines(members: readonly Member[]): AskedMachines {
  const aggregators = members.filter(({ role }) => role === "aggregator");
  const holders = copyHolders(members);
  const leafIds = new Map<Member, string[]>(aggregators.map((machine) => [machine, []]));
  const second = new Map<string, SecondMachine>();
  for (const home of aggregators) {
    for (const leafId of home.leafIds) {
      const lacking = home.state === "dead" ? lastHolder(aggregators, leafId) : null;
      const holder = holders.get(leafId) ?? lacking ?? undefined;
      const isHome = holder === undefined || (home.state === "alive" && !isDrained(home));
      leafIds.get(isHome ? home : holder)!.push(leafId);
      // Nothing can be expected of a dead one; a suspect one may only be slow.
      const other = isHome ? holder : home.state === "dead" ? undefined : home;
      if (other !== undefined) second.set(leafId, { ...asked(other, [leafId]), isCopy: isHome });
    }
  }
  const machines = aggregators.map((machine) => asked(machine, leafIds.get(machine)!));
  return { machines, second };
}

/** It may be stopped at any moment. */
const isDrained = ({ drain }: Member): boolean => drain !== null && drain.drainedMs !== null;

const asked = ({ name, address }: Member, leafIds: readonly string[]): TreeMachine => ({
  ...{ name, address, leafIds },
});
