/** Whether a text has no lone surrogates, so that UTF-8 can encode it. Node.js 20 has isWellFormed; the ES2023 types do not. */
export const isWellFormed = (text: string): boolean =>
  (text as string & { isWellFormed(): boolean }).isWellFormed();
