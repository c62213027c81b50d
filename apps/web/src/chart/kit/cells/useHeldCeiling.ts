import { useEffect, useRef } from "react";

export interface CeilingSource {
  readonly questionKey: string;
  /** The result is complete. */
  readonly final: boolean;
}

/** The amount with the strongest colour. While parts of a result arrive it never falls. */
export function useHeldCeiling(ceiling: number | null, { questionKey, final }: CeilingSource) {
  const held = useRef({ key: "", ceiling: 0 });
  const before = held.current.key === questionKey && !final ? held.current.ceiling : 0;
  const shown = ceiling === null ? 0 : Math.max(before, ceiling);
  useEffect(() => {
    held.current = { key: questionKey, ceiling: shown };
  }, [questionKey, shown]);
  return shown;
}
