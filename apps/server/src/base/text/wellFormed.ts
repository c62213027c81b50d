/** Whether no half of a surrogate pair stands alone, so that UTF-8 can say it. Node.js 20 knows; the ES2023 types do not. */
export const isWellFormed = (text: string): boolean =>
  (text as string & { isWellFormed(): boolean }).isWellFormed();
