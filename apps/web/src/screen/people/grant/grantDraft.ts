import type { Filter, Grant } from "@hadal/sdk";
import { readNames } from "../../../format/nameList.js";

export const grantees = ["user", "group", "token"] as const;
export type Grantee = (typeof grantees)[number];

/** A grant as it is written in the form. */
export interface GrantDraft {
  readonly kind: Grantee;
  readonly name: string;
  readonly table: string;
  readonly filter: readonly Filter[];
  /** Names with commas. */
  readonly hidden: string;
}

export const emptyGrant: GrantDraft = {
  ...{ kind: "group", name: "everyone", table: "", filter: [], hidden: "" },
};

export const draftOf = (grant: Grant): GrantDraft => ({
  ...granteeOf(grant),
  table: grant.table,
  filter: grant.filter ?? [],
  hidden: (grant.hiddenColumns ?? []).join(", "),
});

export function granteeOf({ user, group, token }: Grant): Pick<GrantDraft, "kind" | "name"> {
  if (user !== undefined) return { kind: "user", name: user };
  return group !== undefined
    ? { kind: "group", name: group }
    : { kind: "token", name: token ?? "" };
}

export function grantOf({ kind, name, table, filter, hidden }: GrantDraft): Grant {
  const hiddenColumns = readNames(hidden);
  return {
    [kind]: name.trim(),
    table: table.trim(),
    ...(filter.length > 0 && { filter }),
    ...(hiddenColumns.length > 0 && { hiddenColumns }),
  };
}

const textOf = (grant: Grant): string => JSON.stringify(grantOf(draftOf(grant)));

/** The list with one grant in the place of another; null: a new one, or none. Others may have changed the list. */
export function withGrant(
  grants: readonly Grant[],
  before: Grant | null,
  after: Grant | null,
): readonly Grant[] {
  const at = before === null ? -1 : grants.findIndex((one) => textOf(one) === textOf(before));
  const put = after === null ? [] : [after];
  return at < 0 ? [...grants, ...put] : grants.toSpliced(at, 1, ...put);
}
