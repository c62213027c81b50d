export const peopleTabs = ["users", "grants", "tokens"] as const;
export type PeopleTab = (typeof peopleTabs)[number];

export const embedTabs = ["embeds", "keys"] as const;
export type EmbedTab = (typeof embedTabs)[number];

export type StatusTab = "cluster" | "planner";

/** The screen of a path. The screen reads the rest of the address. */
export type Route =
  | { readonly screen: "explore" }
  | { readonly screen: "tables"; readonly table: string | null }
  | { readonly screen: "functions"; readonly name: string | null }
  | { readonly screen: "dashboards"; readonly id: string | null }
  | { readonly screen: "saved"; readonly id: string | null }
  | { readonly screen: "alerts"; readonly id: string | null }
  | { readonly screen: "people"; readonly tab: PeopleTab }
  | { readonly screen: "embeds"; readonly tab: EmbedTab }
  | { readonly screen: "annotations" }
  | { readonly screen: "audit" }
  | { readonly screen: "setup" }
  | { readonly screen: "signin" }
  | { readonly screen: "status"; readonly tab: StatusTab }
  | { readonly screen: "link"; readonly id: string }
  | { readonly screen: "unknown" };

/** The route of a path; any other path is `unknown`. */
export function parseRoute(path: string): Route {
  const parts = path.split("/").slice(1);
  if (parts.at(-1) === "") parts.pop();
  const [first, second] = parts.map(decode);
  if (parts.length > 2 || second === null) return { screen: "unknown" };
  const named = second === undefined || second === "" ? null : second;
  switch (first) {
    case undefined:
      return { screen: "explore" };
    case "explore":
      return named === null ? { screen: "explore" } : { screen: "unknown" };
    case "tables":
      return { screen: "tables", table: named };
    case "functions":
      return { screen: "functions", name: named };
    case "dashboards":
      return { screen: "dashboards", id: named };
    case "saved":
    case "alerts":
      return { screen: first, id: named };
    case "people":
      return peopleRoute(named);
    case "embeds":
      return embedsRoute(named);
    case "annotations":
    case "audit":
    case "setup":
    case "signin":
      return { screen: named === null ? first : "unknown" };
    case "status":
      return statusRoute(named);
    case "s":
      return named === null ? { screen: "unknown" } : { screen: "link", id: named };
    default:
      return { screen: "unknown" };
  }
}

function peopleRoute(named: string | null): Route {
  const tab = peopleTabs.find((one) => one === (named ?? "users"));
  return tab === undefined ? { screen: "unknown" } : { screen: "people", tab };
}

function embedsRoute(named: string | null): Route {
  const tab = embedTabs.find((one) => one === (named ?? "embeds"));
  return tab === undefined ? { screen: "unknown" } : { screen: "embeds", tab };
}

function statusRoute(named: string | null): Route {
  if (named === null) return { screen: "status", tab: "cluster" };
  return named === "planner" ? { screen: "status", tab: "planner" } : { screen: "unknown" };
}

/** null: invalid percent encoding. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
