import { type RefObject, useEffect } from "react";
import { tabStorage } from "../../../ui/storage/browserStorage.js";

/** Each visit of a board has an entry of the browser's history: Back finds its place again. */
function keyOfVisit(id: string): string {
  const { hadalIndex } = (history.state ?? {}) as { readonly hadalIndex?: unknown };
  return `hadal.board.${id}.${String(hadalIndex ?? 0)}`;
}

/** Keeps how far a board was scrolled, and goes there when its history entry is shown again. */
export function useScrollPlace(ref: RefObject<HTMLElement | null>, id: string): void {
  useEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const key = keyOfVisit(id);
    element.scrollTop = Number(tabStorage.getItem(key) ?? 0);
    const keep = (): void => tabStorage.setItem(keyOfVisit(id), String(element.scrollTop));
    element.addEventListener("scroll", keep, { passive: true });
    return () => element.removeEventListener("scroll", keep);
  }, [ref, id]);
}
