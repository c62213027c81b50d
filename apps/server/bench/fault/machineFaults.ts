import { cancelled } from "./machines/cancelFaults.js";
import { jumpingClock } from "./machines/clockFaults.js";
import { lostAnswers, resetLinks } from "./machines/deliveryFaults.js";
import { FaultyMachines } from "./machines/faultyMachines.js";
import { halfOpenLink, lostPackets, partitioned } from "./machines/linkFaults.js";
import { crashedLeaf, wideGroups } from "./machines/loadFaults.js";
import { type MachineFault, ms, type Say } from "./machines/machineFault.js";
import {
  endWithParent,
  isInNamespaces,
  lackingForNetwork,
  MachineNetwork,
  runInNamespaces,
} from "./machines/machineNetwork.js";
import {
  allMachinesDead,
  deletedDisk,
  endedMachine,
  killsWhileSending,
  killWhileAsking,
  registryAway,
  stoppedMachine,
} from "./machines/processFaults.js";
import { olderProgram, rollingUpgrade } from "./machines/versionFaults.js";

const machineCount = 12;
const loadedBatches = 200;

const onLoopback: Readonly<Record<string, MachineFault>> = {
  F2: killWhileAsking,
  F9: stoppedMachine,
  F4: endedMachine,
  registry: registryAway,
  F1: killsWhileSending,
  F3: allMachinesDead,
  disk: deletedDisk,
  F22: lostAnswers,
  "F22-links": resetLinks,
  F13: jumpingClock,
  F19: crashedLeaf,
  F20: wideGroups,
  F21: cancelled,
};

/** Of links between machines that have network namespaces. */
const onNetwork: Readonly<Record<string, MachineFault>> = {
  F10: halfOpenLink,
  F11: partitioned,
  F12: lostPackets,
};

/** RELIABILITY's faults on twelve machines: each prints its figures, and throws where an answer is wrong. `wanted`: empty for all. */
export async function machineFaults(wanted: readonly string[], say: Say): Promise<void> {
  const known = [...Object.keys(onLoopback), ...Object.keys(onNetwork), "F23"];
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`there is no fault ${unknown} of machines`);
  const chosen = (faults: typeof onLoopback): readonly MachineFault[] =>
    Object.entries(faults)
      .filter(([name]) => wanted.length === 0 || wanted.includes(name))
      .map(([, fault]) => fault);
  if (isInNamespaces()) {
    endWithParent();
    const network = await MachineNetwork.create(machineCount);
    return runFaults(chosen(onNetwork), network, say);
  }
  if (wanted.length === 0 || wanted.includes("F23")) {
    if (olderProgram === null) say("F23 not measured: HADAL_OLDER_PROGRAM names no older program");
    else await rollingUpgrade(olderProgram, say);
  }
  if (chosen(onLoopback).length > 0) await runFaults(chosen(onLoopback), null, say);
  if (chosen(onNetwork).length === 0) return;
  const lacking = await lackingForNetwork();
  if (lacking.length > 0)
    throw new Error(`faults of links between machines need ${lacking.join(", ")}, missing here`);
  const code = await runInNamespaces(["machines", ...wanted]);
  if (code !== 0) throw new Error(`faults of links ended with ${code}`);
}

async function runFaults(
  faults: readonly MachineFault[],
  network: MachineNetwork | null,
  say: Say,
): Promise<void> {
  const startMs = performance.now();
  const cluster = await FaultyMachines.start({ machineCount, network });
  try {
    say(`${machineCount} machines after ${ms(performance.now() - startMs)}`);
    await cluster.load(loadedBatches);
    await cluster.untilRight();
    for (const fault of faults) await fault(cluster, say);
  } finally {
    await cluster.remove();
  }
}
