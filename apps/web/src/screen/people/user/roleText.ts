import type { Role } from "@hadal/sdk";

/** Each role may do what those before it may. */
export const roleText: Readonly<Record<Role, string>> = {
  viewer: "viewer: asks",
  editor: "editor: saves",
  operator: "operator: tables",
  admin: "admin: people",
};
