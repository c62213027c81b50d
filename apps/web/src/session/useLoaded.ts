import { HadalError } from "@hadal/sdk";
import { useCallback, useEffect, useState } from "react";

export interface Loaded<Value> {
  /** null: not read yet. */
  readonly value: Value | null;
  readonly problem: string | null;
  readonly load: () => Promise<void>;
}

/** Reads a value when the component appears, and again on demand. `read` must be stable. */
export function useLoaded<Value>(read: () => Promise<Value>): Loaded<Value> {
  const [value, setValue] = useState<Value | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const load = useCallback(async () => {
    try {
      setValue(await read());
      setProblem(null);
    } catch (error) {
      if (!(error instanceof HadalError)) throw error;
      setProblem(error.message);
    }
  }, [read]);
  useEffect(() => void load(), [load]);
  return { value, problem, load };
}
