import type { Permission, Role } from "@hadal/sdk";

const viewer: readonly Permission[] = ["query"];
const editor: readonly Permission[] = [...viewer, "save", "embed"];
const operator: readonly Permission[] = [...editor, "ingest", "operate"];
const admin: readonly Permission[] = [...operator, "admin"];

/** What each role may do. */
export const rolePermissions: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  viewer: new Set(viewer),
  editor: new Set(editor),
  operator: new Set(operator),
  admin: new Set(admin),
};
