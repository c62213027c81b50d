interface WithTemporal {
  readonly Temporal?: { readonly Now: { timeZoneId(): string } };
}

/** The browser's zone. Temporal comes first: the first use of Intl loads tables, which delays the first page. */
export function ownTimeZone(host: WithTemporal = globalThis as WithTemporal): string {
  const zone = host.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === undefined || zone === "Etc/Unknown" ? "UTC" : zone;
}
