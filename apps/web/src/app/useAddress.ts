import { useSyncExternalStore } from "react";
import type { Navigation } from "./navigation.js";

export interface Address {
  readonly path: string;
  /** The query string, with `?` when there is one. */
  readonly search: string;
}

/** The current address. */
export function useAddress(navigation: Navigation): Address {
  const url = useSyncExternalStore(navigation.subscribe, navigation.current);
  const at = url.indexOf("?");
  return at < 0 ? { path: url, search: "" } : { path: url.slice(0, at), search: url.slice(at) };
}
