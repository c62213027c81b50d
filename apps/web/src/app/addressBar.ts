import type { AddressBar } from "../draft/history/store.js";
import type { Navigation } from "./navigation.js";
import { parseRoute } from "./route.js";

const path = "/explore";

/** The address bar for Explore. Other screens, and a table's name alone, have no query. */
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

/** The table of an address with nothing else, which opens with the first query of the table. */
export function tableToOpen(): string | null {
  const parameters = new URLSearchParams(location.search);
  const table = parameters.get("table");
  const isBare = [...parameters.keys()].every((key) => key === "table" || key === "v");
  return isShown() && isBare && table !== "" ? table : null;
}
