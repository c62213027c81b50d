import { HadalError } from "@hadal/sdk";

/** Milliseconds that one kind of request took, and what was refused. */
export class Waits {
  readonly ms: number[] = [];
  readonly problems = new Map<string, number>();

  /** Resolves with null where the work fails. */
  async measure<Value>(work: () => Promise<Value>): Promise<Value | null> {
    const startedMs = performance.now();
    try {
      const value = await work();
      this.ms.push(performance.now() - startedMs);
      return value;
    } catch (error) {
      const code = error instanceof HadalError ? `${error.code} (${error.message})` : String(error);
      this.problems.set(code, (this.problems.get(code) ?? 0) + 1);
      return null;
    }
  }

  quantile(share: number): number {
    const sorted = this.ms.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  }

  print(): string {
    const at = (share: number): string => this.quantile(share).toFixed(0);
    const problems = [...this.problems].map(([code, count]) => `${count} × ${code}`).join(", ");
    return `${this.ms.length} answered, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms${problems === "" ? "" : `; ${problems}`}`;
  }
}
