/** Hosts among which an origin is looked up often: those of every embed. */
export class HostSet {
  readonly #exact: ReadonlySet<string>;
  readonly #wildcards: readonly string[];

  constructor(hosts: Iterable<string>) {
    const all = new Set(hosts);
    this.#exact = all;
    this.#wildcards = [...all].filter((host) => host.includes("://*."));
  }

  allows(origin: string): boolean {
    return (
      (origin !== "'self'" && this.#exact.has(origin)) || isHostAllowed(origin, this.#wildcards)
    );
  }
}

/** Whether the origin of a page is one of these hosts: `https://intranet.example`, `https://*.example.com`. */
export function isHostAllowed(origin: string, hosts: readonly string[]): boolean {
  return hosts.some((host) => {
    if (!host.includes("://*.")) return host === origin && host !== "'self'";
    const [scheme = "", end = ""] = host.split("*");
    return (
      origin.startsWith(scheme) &&
      origin.endsWith(end) &&
      origin.length > scheme.length + end.length
    );
  });
}
