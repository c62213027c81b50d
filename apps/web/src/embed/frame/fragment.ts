/** Attributes of the chart that the fragment of `/embed/{id}` may give. */
const names = ["token", "query", "view", "theme", "time-zone", "live"] as const;

/** The attributes in a fragment: `#token=…&theme=dark`. */
export function readFragment(hash: string): ReadonlyMap<string, string> {
  const read = new URLSearchParams(hash.replace(/^#/, ""));
  return new Map(
    names.flatMap((name): [string, string][] => {
      const value = read.get(name);
      return value === null ? [] : [[name, value]];
    }),
  );
}
