import type { AddressBar } from "../draft/history/store.js";
import type { Navigation } from "./navigation.js";
import { parseRoute } from "./route.js";

const path = "/explore";

/** The address bar as the Explore screen sees it: another screen's address holds no question, nor does a table's name alone. */
export function createAddressBar(navigation: Navigation): AddressBar {
  const urlOf = (search: string): string => `${path}?${search}`;
  return {
    search: () => (isShown() && tableToOpen() === null ? location.search : ""),
    index: navigation.index,
    push: (search, at) => history.pushState({ hadalIndex: at }, "", urlOf(search)),
    replace: (search, at) => history.replaceState({ hadalIndex: at }, "", urlOf(search)),
    go: (steps) => history.go(steps),
    onMove: (listener) =>
      navigation.subscribe(() => {
        if (isShown()) listener();
      }),
  };
}

const isShown = (): boolean => parseRoute(location.pathname).screen === "explore";

/** The table of an address that says nothing else: it opens with whatever question suits the table. */
export function tableToOpen(): string | null {
  const parameters = new URLSearchParams(location.search);
  const table = parameters.get("table");
  const isBare = [...parameters.keys()].every((key) => key === "table" || key === "v");
  return isShown() && isBare && table !== "" ? table : null;
}
