import type { AddressBar } from "../query/store.js";

const path = "/explore";

/** The browser's own address bar and history. */
export function createAddressBar(): AddressBar {
  const index = (): number => {
    const state = history.state as { hadalIndex?: unknown } | null;
    return typeof state?.hadalIndex === "number" ? state.hadalIndex : 0;
  };
  const urlOf = (search: string): string => `${path}?${search}`;
  return {
    search: () => location.search,
    index,
    push: (search, at) => history.pushState({ hadalIndex: at }, "", urlOf(search)),
    replace: (search, at) => history.replaceState({ hadalIndex: at }, "", urlOf(search)),
    go: (steps) => history.go(steps),
    onMove(listener) {
      window.addEventListener("popstate", listener);
      return () => window.removeEventListener("popstate", listener);
    },
  };
}
