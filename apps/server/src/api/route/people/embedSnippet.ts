import { bigintAsText, type EmbedScope } from "@hadal/sdk";
import { escapeHtml } from "../../docs/escapeHtml.js";

/** HTML for a page that shows the embed; `server` is the address under which the page reaches it. */
export function embedSnippet(
  server: string,
  { query, view, views }: Pick<EmbedScope, "query" | "view" | "views">,
  token: string,
): string {
  const shown = view ?? views[0];
  const attributes = [
    ["src", server],
    ["token", token],
    ...(query === null ? [] : [["query", JSON.stringify(query, bigintAsText)]]),
    ...(shown === undefined ? [] : [["view", shown]]),
  ];
  const printed = attributes.map(([name, value = ""]) => ` ${name}="${escapeHtml(value)}"`);
  const script = escapeHtml(`${server}/embed/hadal-chart.js`);
  return `<script type="module" src="${script}"></script>\n<hadal-chart${printed.join("")}></hadal-chart>`;
}
