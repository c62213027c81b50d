import type { SourceProblem, SourceState } from "@hadal/sdk";

/** Enough to see what is wrong; all are counted. */
const problemsMax = 20;

/** What a source says of itself on this gateway. */
export class SourceReport {
  /** Of the connection to its brokers. */
  #link: { readonly state: SourceState; readonly reason: string | null } = {
    state: "joining",
    reason: null,
  };
  /** Why a partition stores nothing now. */
  readonly #stopped = new Map<string, { readonly state: "waiting" | "failed"; reason: string }>();
  readonly #problems: SourceProblem[] = [];
  #accepted = 0;
  #rejected = 0;

  get state(): { readonly state: SourceState; readonly reason: string | null } {
    if (this.#link.state !== "reading") return this.#link;
    const stopped = [...this.#stopped.values()];
    return stopped.find(({ state }) => state === "failed") ?? stopped[0] ?? this.#link;
  }

  get counts(): { readonly accepted: number; readonly rejected: number } {
    return { accepted: this.#accepted, rejected: this.#rejected };
  }

  /** The newest first. */
  get problems(): readonly SourceProblem[] {
    return [...this.#problems].reverse();
  }

  noteLink(state: SourceState, reason: string | null = null): void {
    this.#link = { state, reason };
  }

  noteStopped(partition: string, state: "waiting" | "failed", reason: string): void {
    this.#stopped.set(partition, { state, reason });
  }

  noteStoring(partition: string): void {
    this.#stopped.delete(partition);
  }

  count({ accepted = 0, rejected = 0 }: { accepted?: number; rejected?: number }): void {
    this.#accepted += accepted;
    this.#rejected += rejected;
  }

  add(problem: SourceProblem): void {
    this.#problems.push(problem);
    if (this.#problems.length > problemsMax) this.#problems.shift();
  }
}
