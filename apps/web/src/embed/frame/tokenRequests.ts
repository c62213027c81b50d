/** How long the page around has to answer with a token. */
const answerMsMax = 30_000;

/** Requests to the page around for the next token. One token answers all of them. */
export class TokenRequests {
  readonly #waiting = new Set<(token: string) => void>();

  /** Rejects when nothing came in time. */
  ask(): Promise<string> {
    return new Promise((resolve, reject) => {
      const take = (token: string): void => {
        clearTimeout(end);
        resolve(token);
      };
      const end = setTimeout(() => {
        this.#waiting.delete(take);
        reject(new Error("The page around has sent no token."));
      }, answerMsMax);
      this.#waiting.add(take);
    });
  }

  /** Whether a request waited for it. */
  answer(token: string): boolean {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const take of waiting) take(token);
    return waiting.length > 0;
  }
}
