import { auditActions, permissions, roles } from "../model/people.js";
import {
  closedObject,
  described,
  type JsonSchema,
  list,
  type NamedSchemas,
  nullable,
  openObject,
  ref,
} from "./jsonSchema.js";
import { shortText as name, number, text } from "./valueSchemas.js";

const role: JsonSchema = { enum: [...roles] };
const groups = list(text);
const password: JsonSchema = { type: "string", minLength: 1, maxLength: 1_024 };
const orNever = (description: string): JsonSchema => nullable(described(number, description));

const user = {
  ...{ id: text, name: text, role, groups },
  state: described(
    { enum: ["active", "invited", "disabled"] },
    "`invited`: no password is set yet.",
  ),
  source: { enum: ["password", "oidc", "header"] },
  createdMs: number,
  lastSignInMs: orNever("Null: not yet."),
};
const scopes = described(
  list(text),
  "A permission, and of `query`, `ingest` and `embed` the table: `query:requests`, `ingest:*`, `save`, `operate`, `admin`.",
);
const token = {
  ...{ id: text, name: text, scopes, createdMs: number },
  createdBy: nullable(text),
  expires: orNever("Milliseconds since 1970; null: never."),
  lastUsed: orNever("Milliseconds since 1970; null: not yet."),
};

/** Who signs in, and what people and programs may do. */
export const peopleSchemas: NamedSchemas = {
  SignIn: {
    description:
      "With name and password, or with the code of a setup link and the password that it sets.",
    anyOf: [closedObject({ name: text, password }), closedObject({ setup: text, password })],
  },
  Me: openObject({
    kind: { enum: ["anyone", "user", "token"] },
    id: nullable(text),
    name: nullable(text),
    role: nullable(described(role, "Of a token null: it has scopes.")),
    groups,
    permissions: list({ enum: [...permissions] }),
    auth: { enum: ["none", "users", "header"] },
  }),
  User: openObject(user),
  UserList: openObject({ users: list(ref("User")) }),
  UserDraft: closedObject({
    ...{ name, role, "groups?": groups },
    "disabled?": { type: "boolean" },
  }),
  InvitedUser: openObject({
    ...user,
    setup: described(text, "Path and code of the link with which the user sets a password, once."),
  }),
  TokenInfo: openObject(token),
  TokenList: openObject({ tokens: list(ref("TokenInfo")) }),
  TokenDraft: closedObject({
    "name?": described(name, "Which program it is for."),
    scopes: { ...scopes, minItems: 1 },
    "expires?": described(text, "A duration such as `90d` or `1h`; left out: it does not expire."),
  }),
  CreatedToken: openObject({ ...token, token: described(text, "Shown here only.") }),
  Grant: closedObject({
    "user?": name,
    "group?": described(name, "`everyone`: all users."),
    "token?": name,
    table: described(text, "`*`: every table."),
    "filter?": described(list(ref("Filter")), "Only rows that pass all of it."),
    "hiddenColumns?": list(text),
  }),
  GrantList: closedObject({
    grants: described(list(ref("Grant")), "Each for exactly one of `user`, `group`, `token`."),
  }),
  AuditEntry: openObject({
    time: number,
    who: described(nullable(text), "Name of the user or token."),
    action: { enum: [...auditActions] },
    target: text,
    address: described(nullable(text), "Of the client; null for the command line."),
  }),
  AuditList: openObject({ entries: list(ref("AuditEntry")) }),
};
