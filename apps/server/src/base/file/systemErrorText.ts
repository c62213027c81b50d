import { getSystemErrorMap } from "node:util";

/** The system's error text without the path, which a client should not see. */
export function systemErrorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { errno, code, message } = error as NodeJS.ErrnoException;
  return (errno !== undefined && getSystemErrorMap().get(errno)?.[1]) || (code ?? message);
}
