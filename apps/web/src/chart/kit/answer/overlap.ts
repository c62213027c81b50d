import type { Query } from "@hadal/sdk";

/** The result columns whose groups overlap: a row is in those of all the elements of its list. */
export const overlappingColumns = ({ groupBy = [] }: Pick<Query, "groupBy">): ReadonlySet<string> =>
  new Set(
    groupBy.flatMap((one) =>
      typeof one === "object" && "element" in one ? [one.as ?? one.element] : [],
    ),
  );

/** For where every column's groups are apart. */
export const noOverlap: ReadonlySet<string> = new Set();
