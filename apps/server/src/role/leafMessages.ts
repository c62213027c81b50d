/** Messages from a leaf process to its supervisor. */
export type LeafMessage =
  | { readonly kind: "leaf-ready"; readonly port: number }
  | { readonly kind: "leaf-failed"; readonly detail: string };

/** Environment in which the supervisor starts a leaf process. */
export const leafEnvironment = {
  id: "HADAL_LEAF_ID",
  count: "HADAL_LEAF_COUNT",
  key: "HADAL_CLUSTER_KEY",
} as const;
