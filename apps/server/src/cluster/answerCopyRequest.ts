import type { CopySource } from "../base/copy/copySource.js";
import type { CopyReply, CopyRequest } from "./copyProtocol.js";

export async function answerCopyRequest(
  source: CopySource,
  request: CopyRequest,
): Promise<{ readonly reply: CopyReply; readonly body?: Uint8Array }> {
  const { id } = request;
  switch (request.kind) {
    case "copyState":
      return { reply: { kind: "copyState", id, ...(await source.state(request)) } };
    case "copySegment": {
      const file = await source.segment(request.table, request.generation);
      const reply = { kind: "copyBytes", id, isThere: file !== null } as const;
      return file === null ? { reply } : { reply, body: file };
    }
    case "copyLog": {
      const body = await source.log(request.table, request);
      return { reply: { kind: "copyBytes", id, isThere: true }, body };
    }
    case "copyLogHash": {
      const hash = await source.logHash(request.table, request.generation, request.bytes);
      return { reply: { kind: "copyLogHash", id, hash } };
    }
  }
}
