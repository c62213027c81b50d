export interface Visit {
  readonly url: URL;
  readonly status: number;
  /** Where the answer leads; null: nowhere. */
  readonly location: string | null;
  readonly setCookies: readonly string[];
  readonly text: string;
}

/** Follows redirects, keeps cookies and sends forms: as much of a browser as a sign-in needs. */
export class FormBrowser {
  readonly #cookies = new Map<string, Map<string, string>>();

  /** Every answer so far. */
  readonly visits: Visit[] = [];

  cookie(origin: string, name: string): string | undefined {
    return this.#cookies.get(origin)?.get(name) || undefined;
  }

  /** One request with the cookies of its origin, and no redirect. */
  async visit(url: URL | string): Promise<Visit> {
    return this.#send(new URL(url), null);
  }

  /** Signs in at the provider's pages. Resolves with the address at which the browser leaves them. */
  async signIn(address: string, login: string, stopAt: string): Promise<URL> {
    let at = new URL(address);
    let body: URLSearchParams | null = null;
    for (let steps = 0; steps < 20; steps++) {
      if (at.href.startsWith(stopAt)) return at;
      const { location, text: page } = await this.#send(at, body);
      if (location !== null) {
        [at, body] = [new URL(location, at), null];
        continue;
      }
      const action = /<form[^>]* action="([^"]+)"/.exec(page)?.[1];
      const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1];
      if (action === undefined || prompt === undefined) throw new Error(`no form: ${page}`);
      at = new URL(action, at);
      body = new URLSearchParams({
        prompt,
        ...(prompt === "login" ? { login, password: "x" } : {}),
      });
    }
    throw new Error(`no end at ${at.href}`);
  }

  async #send(at: URL, body: URLSearchParams | null): Promise<Visit> {
    const jar = this.#cookies.get(at.origin) ?? new Map<string, string>();
    this.#cookies.set(at.origin, jar);
    const response = await fetch(at, {
      redirect: "manual",
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(body === null ? {} : { method: "POST", body }),
    });
    const setCookies = response.headers.getSetCookie();
    for (const cookie of setCookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    const { status, headers } = response;
    const location = headers.get("location");
    const visit = { url: at, status, location, setCookies, text: await response.text() };
    this.visits.push(visit);
    return visit;
  }
}
