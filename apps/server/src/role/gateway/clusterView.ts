import { type ClusterInfo, HadalError, type MachineInfo, type MemberInfo } from "@hadal/sdk";
import type { AuditLog } from "../../access/audit/auditLog.js";
import type { ApiDeps } from "../../api/context/deps.js";
import { everything, type Readable } from "../../base/access/readable.js";
import type { LeafConnection } from "../../cluster/leafConnection.js";
import type { WindowCounts } from "../../cluster/windowCounts.js";
import { setDrain } from "../../registry/member/drains.js";
import type { KnownMembers } from "../../registry/member/members.js";
import type { Registry } from "../../registry/registry.js";
import type { LastTree } from "./lastTree.js";
import { machinesOf, onlyMachine, onlyMachineName } from "./machines.js";
import { memberInfos } from "./members.js";

export interface ClusterViewParts {
  readonly leaves: () => readonly LeafConnection[];
  /** null: there is no cluster. */
  readonly cluster: KnownMembers | null;
  readonly registry: Registry;
  readonly audit: Pick<AuditLog, "entry" | "write">;
  readonly lastTree: LastTree;
  /** Of this gateway. */
  readonly address: () => string;
  readonly nowMs: () => number;
  /** What an aggregator has said of its requests to others. */
  readonly windowsOf?: ((machine: string) => WindowCounts | undefined) | undefined;
}

/** The machines and members as one gateway sees them. */
export class ClusterView implements Pick<ApiDeps, "members" | "cluster" | "drain"> {
  readonly #parts: ClusterViewParts;

  constructor(parts: ClusterViewParts) {
    this.#parts = parts;
  }

  async members(): Promise<readonly MemberInfo[]> {
    const { address, leaves, cluster, nowMs, windowsOf } = this.#parts;
    const now = { leaves: leaves(), nowMs: nowMs(), ...(windowsOf && { windowsOf }) };
    return memberInfos({ address: address(), cluster, ...now });
  }

  async cluster(readable: Readable): Promise<ClusterInfo> {
    const { cluster, lastTree } = this.#parts;
    return {
      machines: this.#machines(readable),
      tree: lastTree.tree,
      registryProblem: cluster?.problem() ?? null,
      notWhole: cluster?.notWhole() ?? [],
    };
  }

  readonly drain: ApiDeps["drain"] = async ({ machine, drain }, actor, readable) => {
    const { cluster, registry, audit } = this.#parts;
    if (cluster === null) return this.#drainOnly(machine, drain, readable);
    const entry = audit.entry(actor, drain ? "machine.drain" : "machine.undrain", machine);
    const onChange = (transaction: Parameters<AuditLog["write"]>[0]): Promise<void> =>
      audit.write(transaction, entry);
    await setDrain(registry, { machine, drain, onChange });
    await cluster.refresh();
    const found = this.#machines(readable).find(({ name }) => name === machine);
    if (found === undefined) throw new HadalError("unknown-machine", { machine, known: "…" });
    return found;
  };

  #machines(readable: Readable): readonly MachineInfo[] {
    const { cluster, leaves, address } = this.#parts;
    const showsRows = readable.key === everything.key;
    if (cluster === null) {
      return [onlyMachine(leaves(), { address: new URL(address()).host, showsRows })];
    }
    const isRegistryAway = cluster.problem() !== null;
    const parts = { members: cluster.list(), isRegistryAway, leaves: leaves(), showsRows };
    return machinesOf(parts);
  }

  /** A server without a cluster has one machine, which takes all rows. */
  #drainOnly(machine: string, drain: boolean, readable: Readable): MachineInfo {
    const [only] = this.#machines(readable);
    if (only === undefined || only.name !== machine) {
      throw new HadalError("unknown-machine", { machine, known: onlyMachineName() });
    }
    if (drain) throw new HadalError("last-machine", { machine });
    return only;
  }
}
