import { apiBase, type User } from "@hadal/sdk";
import { ref } from "@hadal/sdk/schema";
import type { FastifyInstance } from "fastify";
import { readJsonBody } from "../../body/jsonBody.js";
import { actorOf } from "../../context/requester.js";
import { idAnswer, idParameter, type Operation, type WithId } from "../../docs/operation.js";
import type { RouteContext } from "../routeContext.js";

const user: User = {
  ...{ id: "0d4b8f0e-6c1d-4e0a-9d3a-1f6f1c2b7a90", name: "anna", role: "editor", groups: ["shop"] },
  ...{ state: "active", source: "password", createdMs: 1795254000000, lastSignInMs: null },
};
const draft = { name: user.name, role: user.role, groups: user.groups };
const draftBody = {
  content: { "application/json": { schema: ref("UserDraft"), example: draft } },
};
const invited = {
  ...{ ...user, state: "invited" },
  setup: "/setup#c2V0dXAtY29kZS1vZi10aGUtZXhhbXBsZQ",
};
const invitedAnswer = (status: number) => ({
  status,
  description: "The user, and the link with which the user sets a password; shown here only.",
  content: { "application/json": { schema: ref("InvitedUser"), example: invited } },
});
const userId = idParameter("As `listUsers` gave it.", user.id);

const getUsers: Operation = {
  operationId: "listUsers",
  summary: "All users",
  tag: "People",
  access: "admin",
  answer: {
    status: 200,
    description: "By name.",
    content: { "application/json": { schema: ref("UserList"), example: { users: [user] } } },
  },
  problems: ["registry-unavailable"],
};

const postUser: Operation = {
  operationId: "createUser",
  summary: "Invite a user",
  tag: "People",
  access: "admin",
  body: draftBody,
  answer: invitedAnswer(201),
  problems: ["invalid-query", "registry-unavailable"],
};

const putUser: Operation = {
  operationId: "changeUser",
  summary: "Change a user's name, role or groups, or disable the user",
  description:
    "`groups` and `disabled` stay as they are where they are left out. Sessions of a user who is disabled end. The last admin who can sign in stays one.",
  tag: "People",
  access: "admin",
  parameters: [userId],
  body: draftBody,
  answer: {
    status: 200,
    description: "The user as it is now.",
    content: { "application/json": { schema: ref("User"), example: user } },
  },
  problems: ["invalid-query", "unknown-user", "registry-unavailable"],
};

const postSetup: Operation = {
  operationId: "inviteUser",
  summary: "Make a new setup link for a user",
  description: "The user's password and sessions end.",
  tag: "People",
  access: "admin",
  parameters: [userId],
  answer: invitedAnswer(200),
  problems: ["unknown-user", "registry-unavailable"],
};

const deleteUser: Operation = {
  operationId: "deleteUser",
  summary: "Remove a user",
  description: "Sessions and grants of the user end.",
  tag: "People",
  access: "admin",
  parameters: [userId],
  answer: idAnswer(user.id),
  problems: ["unknown-user", "registry-unavailable"],
};

/** People who sign in. */
export function addUserRoutes(app: FastifyInstance, { deps: { access } }: RouteContext): void {
  const path = `${apiBase}/users`;
  const { users } = access;
  app.get(path, { config: { operation: getUsers } }, async () => ({ users: await users.list() }));
  app.post(path, { config: { operation: postUser } }, async (request, reply) => {
    const created = await users.create(await readJsonBody(request), actorOf(request));
    return reply.code(201).send(created);
  });
  app.put<WithId>(`${path}/:id`, { config: { operation: putUser } }, async (request) =>
    users.change(request.params.id, await readJsonBody(request), actorOf(request)),
  );
  app.post<WithId>(`${path}/:id/setup`, { config: { operation: postSetup } }, async (request) =>
    users.invite(request.params.id, actorOf(request)),
  );
  app.delete<WithId>(`${path}/:id`, { config: { operation: deleteUser } }, async (request) => {
    const { id } = request.params;
    await users.remove(id, actorOf(request));
    return { id };
  });
}
