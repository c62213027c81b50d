import { useEffect, useMemo, useRef } from "react";
import { type GroupTotal, holdOrder } from "./totals.js";

/** While parts of one answer arrive, entries keep the places they have. */
export function useHeldOrder(
  next: readonly GroupTotal[],
  key: string,
  final: boolean,
): readonly GroupTotal[] {
  const shown = useRef<{ key: string; keys: readonly string[] }>({ key: "", keys: [] });
  const held = useMemo(
    () => (final || shown.current.key !== key ? next : holdOrder(next, shown.current.keys)),
    [next, key, final],
  );
  useEffect(() => {
    shown.current = { key, keys: held.map((total) => total.key) };
  }, [held, key]);
  return held;
}
