interface WithTemporal {
  readonly Temporal?: { readonly Now: { timeZoneId(): string } };
}

/** The reader's own zone. Where there is a Temporal it knows without the tables that Intl loads when it is first used, which keep a slow machine's first page waiting. */
export function ownTimeZone(host: WithTemporal = globalThis as WithTemporal): string {
  const zone = host.Temporal?.Now.timeZoneId() ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return zone === undefined || zone === "Etc/Unknown" ? "UTC" : zone;
}
