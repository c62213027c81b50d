import type { EmbedInfo } from "@hadal/sdk";

/** Embeds with the text in their title, table, hosts, or in the name of who made them. */
export function searchEmbeds(embeds: readonly EmbedInfo[], text: string): readonly EmbedInfo[] {
  const needle = text.trim().toLowerCase();
  return embeds.filter(({ title, scope, createdBy }) =>
    [title, scope.table, createdBy ?? "", ...scope.frameAncestors]
      .join("\n")
      .toLowerCase()
      .includes(needle),
  );
}
