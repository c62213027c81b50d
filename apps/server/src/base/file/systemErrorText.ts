import { getSystemErrorMap } from "node:util";

/** What the system says, without the path: a person who asks by HTTP need not know where files lie. */
export function systemErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errno, code, message } = error as NodeJS.ErrnoException;
  return (errno !== undefined && getSystemErrorMap().get(errno)?.[1]) || (code ?? message);
}
