/**
 * Who asks or sends, as one text: an address, and the name that somebody there goes by. Anybody may take any number of
 * names: turns go by addresses first, and by names among those of one address, as behind a proxy.
 */
export function clientOf(address: string, name: string): string {
  return name === "" ? address : `${address} ${name}`;
}

export function addressOf(client: string): string {
  const end = client.indexOf(" ");
  return end < 0 ? client : client.slice(0, end);
}
