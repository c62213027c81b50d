import { hostname } from "node:os";
import {
  type ClusterSettings,
  copiesDefault,
  copiesMax,
  fanOutDefault,
  fanOutMax,
  fanOutMin,
  hedgePercentDefault,
} from "../../base/limit/clusterSettings.js";
import type { ServerRole } from "../../base/limit/settings.js";
import {
  checkInteger,
  checkJoin,
  checkSwitch,
  checkText,
  type Find,
  type Found,
  flag,
  refused,
  type ServeFlag,
} from "./serveFlag.js";

/** How a machine takes part in a cluster. */
export const clusterFlags: readonly ServeFlag[] = [
  flag(
    "join",
    "--join <url>",
    "PostgreSQL that all members of a cluster share (postgres://…), or one of its gateways (http://…); for the roles aggregator and gateway",
    "none",
  ),
  flag("machine", "--machine <name>", "name of this machine in the cluster", "its host name"),
  flag(
    "advertise",
    "--advertise <host:port>",
    "where other members reach this one",
    "where it listens",
  ),
  flag(
    "clusterKeyFile",
    "--cluster-key-file <file>",
    "file of the key that all members have, at least 16 characters",
    "HADAL_CLUSTER_KEY",
  ),
  flag("clusterTls", "--cluster-tls", "encrypt the links between machines with that key", "false"),
  flag(
    "fanOut",
    "--fan-out <count>",
    "how many nodes each aggregator asks, itself among them",
    fanOutDefault,
  ),
  flag(
    "copies",
    "--copies <count>",
    "on how many machines each row is to be, 1 or 2",
    copiesDefault,
  ),
  flag(
    "hedgePercent",
    "--hedge-percent <count>",
    "of 100 partitions that a query asks, how many copies it may ask because they are late",
    hedgePercentDefault,
  ),
  flag(
    "acceptOldCopies",
    "--accept-old-copies",
    "a leaf that lost its disk starts with the rows of an old copy, where no other is left",
    "false",
  ),
];

const machinePattern = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

export function checkCluster(find: Find, role: ServerRole): ClusterSettings {
  const join = checkJoin(find("join"));
  const isMember = role === "aggregator" || role === "gateway";
  if (isMember && join === null) {
    throw refused(
      `The role ${role} needs --join: the PostgreSQL that all members share, or a gateway.`,
    );
  }
  if (!isMember && join !== null) {
    throw refused(`${find("join")?.source} needs --role aggregator or gateway.`);
  }
  return {
    ...{ join, machine: isMember ? checkMachine(find("machine")) : "" },
    advertise: checkAddress(find, "advertise"),
    clusterKeyFile: checkText(find("clusterKeyFile"), "") || null,
    fanOut: checkGiven(find("fanOut"), fanOutMin, fanOutMax),
    copies: checkGiven(find("copies"), 1, copiesMax),
    clusterTls: checkSwitch(find("clusterTls")),
    hedgePercent: checkInteger(find("hedgePercent"), 0, 100, hedgePercentDefault),
    acceptOldCopies: checkSwitch(find("acceptOldCopies")) ?? false,
  };
}

/** Null: the cluster's own is not asked for to be another. */
function checkGiven(found: Found | null, min: number, max: number): number | null {
  return found === null ? null : checkInteger(found, min, max, min);
}

function checkMachine(found: Found | null): string {
  const machine = checkText(found, hostname().split(".")[0] ?? "").toLowerCase();
  if (machinePattern.test(machine)) return machine;
  const source = found?.source ?? "the host name";
  throw refused(
    `${source} is a name of letters, digits and hyphens; found ${JSON.stringify(machine)}.`,
  );
}

function checkAddress(find: Find, key: string): string | null {
  const found = find(key);
  if (found === null) return null;
  const address = checkText(found, "");
  const url = URL.canParse(`ws://${address}`) ? new URL(`ws://${address}`) : null;
  if (url !== null && url.host === address && url.port !== "") return address;
  throw refused(
    `${found.source} is a host and a port such as 10.0.0.5:7401; found ${JSON.stringify(address)}.`,
  );
}
