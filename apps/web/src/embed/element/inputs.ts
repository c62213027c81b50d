import type { Query } from "@hadal/sdk";
import type { HadalChartProperties, HadalChartTheme } from "@hadal/sdk/element";

/** The names of the attributes, by property. */
export const attributeNames = {
  src: "src",
  token: "token",
  query: "query",
  view: "view",
  theme: "theme",
  timeZone: "time-zone",
  live: "live",
} as const;

export type InputName = keyof typeof attributeNames;

/** What the host asks for, of attributes and properties. */
export interface ChartInputs extends Readonly<Pick<HadalChartProperties, InputName>> {
  /** In the page for frames, the embed of its address; null: any that the token is of. */
  readonly embedId: string | null;
  /** What of it cannot be read, as a sentence; null: nothing. */
  readonly fault: string | null;
}

/** Values that the host has set as properties. null and undefined leave it to the attribute. */
export type GivenInputs = { readonly [Name in InputName]?: unknown };

/** Reads attributes and properties; a property wins. */
export function readInputs(
  attribute: (name: string) => string | null,
  given: GivenInputs,
  pageUrl: string,
): ChartInputs {
  const textOf = (name: InputName): string | null => {
    const value = given[name] ?? attribute(attributeNames[name]);
    return value === null || value === undefined || value === "" ? null : String(value);
  };
  const { query, fault: queryFault } = readQuery(given.query ?? attribute(attributeNames.query));
  const src = readSrc(textOf("src"), pageUrl);
  return {
    src: src ?? "",
    token: textOf("token"),
    query,
    view: textOf("view"),
    theme: readTheme(textOf("theme")),
    timeZone: textOf("timeZone"),
    live: readLive(given.live ?? attribute(attributeNames.live)),
    embedId: attribute("data-embed"),
    fault: src === null ? "The attribute src must be the address of a Hadal server." : queryFault,
  };
}

/** The origin and path without a slash at its end; null: no address of a server. */
function readSrc(text: string | null, pageUrl: string): string | null {
  if (text === null || !URL.canParse(text, pageUrl)) return null;
  const { protocol, origin, pathname } = new URL(text, pageUrl);
  if (protocol !== "http:" && protocol !== "https:") return null;
  return `${origin}${pathname}`.replace(/\/+$/, "");
}

function readQuery(value: unknown): {
  readonly query: Query | null;
  readonly fault: string | null;
} {
  if (value === null || value === undefined || value === "") return { query: null, fault: null };
  const parsed = typeof value === "string" ? parseJson(value) : value;
  if (isQuery(parsed)) return { query: parsed, fault: null };
  return { query: null, fault: "The attribute query must be a query as JSON." };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The server checks the rest. */
function isQuery(value: unknown): value is Query {
  if (typeof value !== "object" || value === null) return false;
  return "table" in value && typeof value.table === "string";
}

const isTheme = (text: string | null): text is HadalChartTheme =>
  text === "light" || text === "dark" || text === "auto";

const readTheme = (text: string | null): HadalChartTheme => (isTheme(text) ? text : "auto");

/** As an attribute it is there or not; `false` is what some frameworks write for "not". */
const readLive = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== false && value !== "false";
