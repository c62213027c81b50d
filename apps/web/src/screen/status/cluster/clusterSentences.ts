import type { ClusterInfo, LeafCopy, MachineInfo } from "@hadal/sdk";
import { formatCompact } from "../../../format/number.js";

export interface ClusterSentence {
  readonly text: string;
  readonly tone: "bad" | "warn" | "good";
}

type ShownCluster = Pick<ClusterInfo, "machines" | "registryProblem" | "notWhole">;

/** What is not whole, and what is being done about it. */
export function clusterSentences({
  machines,
  registryProblem,
  notWhole = [],
}: ShownCluster): readonly ClusterSentence[] {
  const copies = machines.flatMap((machine) => machine.copies);
  return [
    ...(registryProblem === null ? [] : [registryAway(registryProblem)]),
    ...machines.flatMap((machine) => machineSentences(machine, copies)),
    ...(notWhole.length === 0 ? [] : [fewCopies(notWhole)]),
    ...copies.flatMap(copySentences),
  ];
}

const registryAway = (problem: string): ClusterSentence => ({
  tone: "warn",
  text: `The registry cannot be reached (${problem}): machines are shown as they were last known. Queries and rows go on with these; it is tried again every second.`,
});

const fewCopies = (leaves: readonly string[]): ClusterSentence => ({
  tone: "warn",
  text: `The rows of ${listOf(leaves)} are on fewer machines than wanted. Copies are made as long as there are machines for them.`,
});

const listOf = (leaves: readonly string[]): string =>
  leaves.length > 4 ? `${leaves.length} leaves` : leaves.join(", ");

function machineSentences(
  machine: MachineInfo,
  copies: readonly LeafCopy[],
): readonly ClusterSentence[] {
  const { name, state, rows, problem } = machine;
  switch (state) {
    case "alive":
      if (problem === undefined) return [];
      return [{ tone: "bad", text: `${name} says that it is alive, but ${problem}` }];
    case "suspect":
      return [
        {
          tone: "warn",
          text: `${name} has not been heard from for some seconds. It is asked as before; after 10 seconds it counts as dead.`,
        },
      ];
    case "dead":
      return [deadSentence(machine, copies)];
    case "draining":
      return [
        {
          tone: "warn",
          text: `${name} is draining: new rows go to other machines, and it answers for ${rowsText(rows)} until other machines have whole copies of these.`,
        },
      ];
    case "drained":
      return [
        {
          tone: "good",
          text: `${name} is drained: it may be stopped, and no row will be missing.`,
        },
      ];
    default:
      return state satisfies never;
  }
}

function deadSentence({ name, leaves }: MachineInfo, copies: readonly LeafCopy[]): ClusterSentence {
  const lost = leaves.filter(
    (leaf) => !copies.some((copy) => copy.leaf === leaf && copy.state === "whole"),
  );
  if (lost.length === 0) {
    return { tone: "warn", text: `${name} is dead: copies answer for its leaves.` };
  }
  return {
    tone: "bad",
    text: `${name} is dead: answers lack the rows of ${listOf(lost)}, and say so. New rows go to other machines. Start it again with its data folder, and its rows are back.`,
  };
}

function copySentences(copy: LeafCopy): readonly ClusterSentence[] {
  const { leaf, machine, state, problem } = copy;
  if (problem !== undefined && state !== "away") {
    return [{ tone: "bad", text: `The copy of ${leaf} on ${machine} does not go on: ${problem}.` }];
  }
  switch (state) {
    case "whole":
      return [];
    case "building":
      return [{ tone: "warn", text: `A copy of ${leaf} is being built on ${machine}.` }];
    case "old":
      return [
        {
          tone: "bad",
          text: `${leaf} has lost its data folder; ${machine} keeps a copy of what was in it.`,
        },
      ];
    case "away":
      return [{ tone: "warn", text: `The copy of ${leaf} on ${machine} cannot be reached.` }];
    default:
      return state satisfies never;
  }
}

const rowsText = (rows: number | null): string =>
  rows === null ? "its rows" : `its ${formatCompact(rows)} ${rows === 1 ? "row" : "rows"}`;
