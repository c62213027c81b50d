/** Progress is for people who watch; the report alone goes to standard output. */
export function say(text: string): void {
  console.error(text);
}
