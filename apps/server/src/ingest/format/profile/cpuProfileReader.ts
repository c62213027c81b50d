import type { Steps } from "../../../base/schedule/steps.js";
import { bodyProblem } from "../../body/bodyProblem.js";
import type { RowCollector } from "../../row/rowCollector.js";
import type { RowReader } from "../../row/rowReader.js";
import { tryParseJson } from "../../value/rowRejected.js";

/** A function of a profile, as V8 writes it. */
interface ProfileNode {
  readonly frame: string;
  readonly isRoot: boolean;
  parent: number | null;
}

interface Sample {
  readonly node: number;
  /** Microseconds since the profile began. */
  readonly us: number;
}

const stepSamples = 64;
/** V8 itself ends at some thousand. */
const framesMax = 10_000;

/**
 * Reads a `.cpuprofile` of V8: a row for each sample, with its stack from the root on, and in `value`
 * the microseconds until the next sample. The profile ended at the given time, as its own clock has no
 * date.
 */
export class CpuProfileReader implements RowReader {
  readonly #collector: RowCollector;
  readonly #timeName: string;
  readonly #endMs: number;
  readonly #parts: Uint8Array[] = [];

  constructor(collector: RowCollector, timeName: string, endMs: number) {
    this.#collector = collector;
    this.#timeName = timeName;
    this.#endMs = endMs;
  }

  push(bytes: Uint8Array): undefined {
    this.#parts.push(bytes);
  }

  *end(): Steps<void> {
    const profile = readProfile(Buffer.concat(this.#parts).toString("utf8"));
    this.#parts.length = 0;
    const nodes = nodesOf(profile.nodes);
    const samples = samplesOf(profile);
    const lengthUs = Math.max(profile.endTime - profile.startTime, samples.at(-1)?.us ?? 0);
    const startMs = this.#endMs - lengthUs / 1_000;
    const stacks = new Map<number, readonly string[]>();
    for (const [i, { node, us }] of samples.entries()) {
      const stack = stacks.get(node) ?? stackOf(nodes, node);
      stacks.set(node, stack);
      const value = Math.round((samples[i + 1]?.us ?? lengthUs) - us);
      const row = { [this.#timeName]: Math.floor(startMs + us / 1_000), stack, value };
      this.#collector.add(row, i + 1);
      if ((i + 1) % stepSamples === 0) yield;
    }
  }
}

interface Profile {
  readonly nodes: readonly unknown[];
  readonly samples: readonly unknown[];
  readonly timeDeltas: readonly unknown[];
  readonly startTime: number;
  readonly endTime: number;
}

function readProfile(text: string): Profile {
  const parsed = tryParseJson(text) as Partial<Profile> | null | undefined;
  const { nodes, samples, timeDeltas, startTime = 0, endTime = startTime } = parsed ?? {};
  const isWhole =
    Array.isArray(nodes) &&
    Array.isArray(samples) &&
    Array.isArray(timeDeltas) &&
    samples.length === timeDeltas.length &&
    timeDeltas.every(Number.isFinite) &&
    Number.isFinite(startTime) &&
    Number.isFinite(endTime);
  if (isWhole) return { nodes, samples, timeDeltas, startTime, endTime };
  throw noProfile("it has no `nodes`, `samples` and `timeDeltas` as V8 writes them");
}

/** Samples may come out of order. */
function samplesOf({ samples, timeDeltas }: Profile): readonly Sample[] {
  let us = 0;
  const read = samples.map((node, i) => {
    us += timeDeltas[i] as number;
    return { node: node as number, us: Math.max(0, us) };
  });
  return read.sort((a, b) => a.us - b.us);
}

function nodesOf(list: readonly unknown[]): ReadonlyMap<number, ProfileNode> {
  const nodes = new Map<number, ProfileNode>();
  for (const one of list) {
    const { id, callFrame } = (one ?? {}) as {
      readonly id?: unknown;
      readonly callFrame?: unknown;
    };
    if (typeof id !== "number") throw noProfile("a node has no `id`");
    const frame = frameOf(callFrame);
    nodes.set(id, { frame, isRoot: frame === "(root)", parent: null });
  }
  for (const one of list) {
    const { id, children } = one as { readonly id: number; readonly children?: unknown };
    if (!Array.isArray(children)) continue;
    for (const child of children) {
      const node = nodes.get(child as number);
      if (node !== undefined) node.parent = id;
    }
  }
  return nodes;
}

/** `render (app.js:12)`, lines from 1; what V8 itself does has no place. */
function frameOf(callFrame: unknown): string {
  const { functionName, url, lineNumber } = (callFrame ?? {}) as Readonly<Record<string, unknown>>;
  const name =
    typeof functionName === "string" && functionName !== "" ? functionName : "(anonymous)";
  if (typeof url !== "string" || url === "") return name;
  return typeof lineNumber === "number" ? `${name} (${url}:${lineNumber + 1})` : `${name} (${url})`;
}

function stackOf(nodes: ReadonlyMap<number, ProfileNode>, top: number): readonly string[] {
  const frames: string[] = [];
  for (let at: number | null = top; at !== null; ) {
    const node: ProfileNode | undefined = nodes.get(at);
    if (node === undefined)
      throw noProfile(`a sample names the node ${String(at)}, which it does not have`);
    if (!node.isRoot) frames.push(node.frame);
    if (frames.length > framesMax)
      throw noProfile(`a stack has more than ${framesMax} frames (framesMax)`);
    at = node.parent;
  }
  return frames.reverse();
}

function noProfile(reason: string): Error {
  const detail = `The body is no .cpuprofile: ${reason}. Nothing of it was stored.`;
  return bodyProblem("body-undecodable", "body-undecodable", 1, detail);
}
