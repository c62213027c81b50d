import { HadalError, type RawParameters } from "@hadal/sdk";

const lines = /^\s*text\/plain\s*(;|$)/i;
const profiles = /^\s*(text\/x-folded|application\/x-cpuprofile)\s*(;|$)/i;

/** Refuses parameters that would have no effect on the body. */
export function checkRawParameters(
  { at, ...ofLines }: RawParameters = {},
  contentType = "of no known type",
): void {
  const [first] = Object.entries(ofLines).find(([, text]) => text !== undefined) ?? [];
  if (first !== undefined && !lines.test(contentType)) {
    const detail = `\`${first}\` is an option for raw lines (text/plain); this body is ${contentType}.`;
    throw new HadalError("bad-request", { detail });
  }
  if (at === undefined || profiles.test(contentType)) return;
  const detail = `\`at\` is an option for profiles, which have no times of their own; this body is ${contentType}.`;
  throw new HadalError("bad-request", { detail });
}
