import { useEffect, useMemo, useRef } from "react";
import { holdOrder } from "../answer/totals.js";

/** While parts of one answer arrive, entries keep the places they have. */
export function useHeldOrder<T extends { readonly key: string }>(
  next: readonly T[],
  { key, final }: { readonly key: string; readonly final: boolean },
): readonly T[] {
  const shown = useRef<{ key: string; keys: readonly string[] }>({ key: "", keys: [] });
  const held = useMemo(
    () => (final || shown.current.key !== key ? next : holdOrder(next, shown.current.keys)),
    [next, key, final],
  );
  useEffect(() => {
    shown.current = { key, keys: held.map((one) => one.key) };
  }, [held, key]);
  return held;
}
