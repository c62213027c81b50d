/**
 * The client of a request as one text: its address, and the name that it gives. A client may take any number of
 * names: turns go by addresses first, and by names among those of one address, as behind a proxy.
 */
export function clientOf(address: string, name: string): string {
  return name === "" ? address : `${address} ${name}`;
}

export function addressOf(client: string): string {
  const end = client.indexOf(" ");
  return end < 0 ? client : client.slice(0, end);
}
