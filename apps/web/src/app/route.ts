/** What the path of an address shows. What a screen shows of itself it reads from the rest of the address. */
export type Route =
  | { readonly screen: "explore" }
  | { readonly screen: "tables"; readonly table: string | null }
  | { readonly screen: "functions"; readonly name: string | null }
  | { readonly screen: "status" }
  | { readonly screen: "link"; readonly id: string }
  | { readonly screen: "unknown" };

/** The route of a path; a path that nobody made is unknown, never a guess. */
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
    case "status":
      return named === null ? { screen: "status" } : { screen: "unknown" };
    case "s":
      return named === null ? { screen: "unknown" } : { screen: "link", id: named };
    default:
      return { screen: "unknown" };
  }
}

/** null: the part is not what a browser would have escaped. */
function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}
