import { HadalError } from "@hadal/sdk";
import { afterMs } from "../base/schedule/deadlines.js";
import { roundMs } from "../base/schedule/roundMs.js";
import { StopController } from "../base/schedule/stopController.js";
import type { LeafConnection } from "../cluster/leafConnection.js";
import type { StreamedParts, TreeMachine } from "../cluster/treeProtocol.js";
import type { AnswerTrace } from "../cluster/treeTrace.js";
import type { ResolvedQuery } from "../plan/query/resolvedQuery.js";
import { isLost } from "./askOnce.js";
import type { NodeStreamOptions, PartitionCopies, QueriedNode } from "./queriedNode.js";
import { splitEvenly } from "./splitMachines.js";
import { throughWindow } from "./window/throughWindow.js";
import type { TreeWindows } from "./window/treeWindows.js";

export interface TreeOptions {
  readonly fanOut: number;
  /** The connection to the aggregator of a machine. */
  readonly linkTo: (machine: TreeMachine) => Pick<LeafConnection, "streamTree" | "cancelTree">;
  /** Of the request that this machine answers; absent: it is the root. */
  readonly treeId?: string;
  /** Where the root asks partitions a second time. */
  readonly copies?: PartitionCopies;
  /** Hears whom a machine has asked, with its last answer. */
  readonly onTrace?: (trace: AnswerTrace) => void;
  /** How many requests may be under way; absent: any number. */
  readonly windows?: TreeWindows;
}

/** The nodes to ask for these machines: at most `partCount` intermediate aggregators. */
export function nodesOfMachines(
  machines: readonly TreeMachine[],
  partCount: number,
  options: TreeOptions,
): readonly QueriedNode[] {
  const asked = machines.filter(({ leafIds }) => leafIds.length > 0);
  return splitEvenly(asked, partCount).map((part) => new MachinesNode(part, options));
}

/**
 * An intermediate aggregator that says nothing for this share of its time is passed by: sooner than
 * partitions are late, so that only those of its own machine need their copies.
 */
const silentShare = 0.4;

/**
 * Several machines, the first of which asks the others and merges. If it cannot be reached or says
 * nothing, the others are asked without it, while time is left: its own leaves are missing then. An
 * answer is always that of one of both ways, so that no leaf counts twice (I7).
 */
class MachinesNode implements QueriedNode {
  readonly id: string;
  readonly machine: string;
  readonly leafIds: readonly string[];
  readonly copies?: PartitionCopies;
  readonly #machines: readonly TreeMachine[];
  readonly #options: TreeOptions;

  constructor(machines: readonly TreeMachine[], options: TreeOptions) {
    this.#machines = machines;
    this.#options = options;
    this.leafIds = machines.flatMap(({ leafIds }) => leafIds);
    this.id = this.leafIds.join();
    this.machine = machines[0]?.name ?? "";
    if (options.copies !== undefined) this.copies = options.copies;
  }

  restrictedTo(leafIds: readonly string[]): QueriedNode {
    const wanted = new Set(leafIds);
    const machines = this.#machines.flatMap((machine) => {
      const own = machine.leafIds.filter((id) => wanted.has(id));
      return own.length === 0 ? [] : [{ ...machine, leafIds: own }];
    });
    return new MachinesNode(machines, this.#options);
  }

  async streamQuery(query: ResolvedQuery, options: NodeStreamOptions): Promise<void> {
    const { budgetMs, signal, snapshot, onPartial } = options;
    const units = snapshot === undefined ? {} : { snapshot };
    const [head, ...others] = this.#machines;
    if (head === undefined) throw new Error("a node of no machine was asked");
    const ways = new Ways(head.name, onPartial);
    const controller = new StopController();
    const stop = (): void => controller.abort();
    signal.addEventListener("abort", stop, { once: true });
    const startedAt = performance.now();
    let passing: Promise<void> | null = null;
    const passBy = (): Promise<void> => {
      const leftMs = budgetMs - (performance.now() - startedAt);
      if (passing === null) ways.passBy();
      passing ??= this.#askOthers(others, query, {
        ...{ ...units, budgetMs: leftMs, signal: controller.signal },
        onPartial: (answer) => {
          if ("parts" in answer) ways.passingSays(answer);
        },
      });
      return passing;
    };
    const callOff = afterMs(silentShare * budgetMs, () => {
      if (ways.isHeadSilent && others.length > 0) passBy().catch(() => undefined);
    });
    try {
      await this.#askHead(head, query, {
        ...{ ...units, budgetMs, signal: controller.signal },
        onPartial: (answer) => {
          if ("parts" in answer) ways.headSays(answer);
        },
      });
    } catch (error) {
      if (!isLost(error) || others.length === 0 || signal.aborted) throw error;
      await passBy();
    } finally {
      callOff();
      signal.removeEventListener("abort", stop);
      controller.abort();
    }
  }

  #askHead(head: TreeMachine, query: ResolvedQuery, options: NodeStreamOptions): Promise<void> {
    const { fanOut, linkTo, windows, onTrace, treeId } = this.#options;
    const machines = this.#machines;
    const endMs = performance.now() + options.budgetMs;
    // Those below the first machine would go on until they miss it, or until the deadline.
    const onUnheard = (lostId: string): void => {
      if (performance.now() >= endMs) return;
      for (const machine of machines.slice(1)) linkTo(machine).cancelTree(lostId);
    };
    const ask = ({ onPartial, ...asked }: NodeStreamOptions): Promise<void> =>
      linkTo(head).streamTree(query, {
        ...{ ...asked, fanOut, machines, onUnheard },
        ...(treeId !== undefined && { treeId }),
        onParts(answer) {
          if (answer.trace !== undefined) onTrace?.(answer.trace);
          onPartial(answer);
        },
      });
    if (windows === undefined) return ask(options);
    return throughWindow(windows.of(machines.length), options, ask);
  }

  #askOthers(
    others: readonly TreeMachine[],
    query: ResolvedQuery,
    options: NodeStreamOptions,
  ): Promise<void> {
    if (others.length === 0) throw new HadalError("connection-lost", { url: this.id });
    // As another tree: the first machine's may be cancelled after this one is asked.
    const { treeId: _, ...passing } = this.#options;
    return new MachinesNode(others, passing).streamQuery(query, options);
  }
}

/** Passes on what one of two ways says: through the first machine, or past it. */
class Ways {
  readonly #headName: string;
  readonly #onPartial: NodeStreamOptions["onPartial"];
  #head: StreamedParts | null = null;
  #passing: StreamedParts | null = null;
  #passedAtMs = 0;

  constructor(headName: string, onPartial: NodeStreamOptions["onPartial"]) {
    this.#headName = headName;
    this.#onPartial = onPartial;
  }

  get isHeadSilent(): boolean {
    return this.#head === null;
  }

  headSays(answer: StreamedParts): void {
    this.#head = answer;
    if (doneLeaves(answer) >= doneLeaves(this.#passing)) this.#onPartial(answer);
  }

  passBy(): void {
    this.#passedAtMs = performance.now();
  }

  passingSays(answer: StreamedParts): void {
    this.#passing = answer;
    if (doneLeaves(answer) >= doneLeaves(this.#head)) this.#onPartial(this.#pastHead(answer));
  }

  /** The first machine is named in the trace, as one that said nothing. */
  #pastHead({ trace, ...answer }: StreamedParts): StreamedParts {
    if (trace === undefined) return answer;
    const { isSilent = false, ...asked } = trace;
    const waitMs = isSilent ? null : roundMs(performance.now() - this.#passedAtMs);
    const children = [{ ...asked, role: "aggregator" as const, waitMs }];
    return { ...answer, trace: { name: this.#headName, mergeMs: 0, children, isSilent: true } };
  }
}

function doneLeaves(answer: StreamedParts | null): number {
  const leaves = (answer?.parts ?? []).flatMap((part) => part.leaves);
  return leaves.filter(({ done }) => done).length;
}
