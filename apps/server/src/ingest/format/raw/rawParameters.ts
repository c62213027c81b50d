import { HadalError, type RawParameters } from "@hadal/sdk";

/** Refuses parameters that would have no effect on the body. */
export function checkRawParameters(
  parameters: RawParameters = {},
  contentType: string | undefined,
): void {
  const [first] = Object.entries(parameters).find(([, text]) => text !== undefined) ?? [];
  if (first === undefined || /^\s*text\/plain\s*(;|$)/i.test(contentType ?? "")) return;
  const detail = `\`${first}\` is an option for raw lines (text/plain); this body is ${contentType ?? "of no known type"}.`;
  throw new HadalError("bad-request", { detail });
}
