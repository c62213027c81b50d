/** The options of a request whose body is JSON. */
export function jsonRequest(
  method: "POST" | "PUT",
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): RequestInit {
  return {
    method,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

/** A query string with its question mark; empty when no parameter has a value. */
export function printParameters(
  parameters: Readonly<Record<string, string | number | undefined>>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) search.set(name, String(value));
  }
  return search.size === 0 ? "" : `?${search}`;
}
