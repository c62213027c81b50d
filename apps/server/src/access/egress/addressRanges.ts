import ipaddr, { type IPv4, type IPv6 } from "ipaddr.js";

/** Addresses with the same first bits. */
export type AddressRange = readonly [IPv4 | IPv6, number];

/** IPv6 that anybody may own: everything else is of this machine, of a network, or stands for an IPv4 address. */
const globalUnicast: AddressRange = ipaddr.parseCIDR("2000::/3");

/** `10.0.0.0/8`, `fd00::/8`, or one address; null: it is none of these. */
export function parseAddressRange(text: string): AddressRange | null {
  const [start = ""] = text.split("/");
  // Short and octal spellings of IPv4 are not meant: they would open something else than they seem to.
  if (!ipaddr.IPv4.isValidFourPartDecimal(start) && !ipaddr.IPv6.isValid(start)) return null;
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  if (text !== start) return null;
  const address = ipaddr.parse(text);
  return [address, address.toByteArray().length * 8];
}

/** What kind of address it is, where it is not one that anybody on the internet may have; else null. */
export function specialKind(text: string): string | null {
  if (!ipaddr.isValid(text)) return "not an address";
  const address = ipaddr.parse(text);
  const range = address.range();
  if (range !== "unicast") return kindNames[range] ?? range;
  // ::127.0.0.1 counts as unicast, and some systems dial it.
  if (address.kind() === "ipv6" && !address.match(globalUnicast as [IPv6, number]))
    return "reserved";
  return null;
}

/** Whether the address, or the IPv4 address that it is mapped from, is in one of these ranges. */
export function isInRanges(text: string, ranges: readonly AddressRange[]): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return ranges.some(
    (range) => range[0].kind() === address.kind() && address.match(range as [IPv4, number]),
  );
}

const kindNames: Readonly<Record<string, string>> = {
  unspecified: "of this machine",
  loopback: "of this machine",
  private: "private",
  uniqueLocal: "private",
  linkLocal: "of the local network",
  deprecatedSiteLocal: "of the local network",
  carrierGradeNat: "of a provider's network",
  ipv4Mapped: "an IPv4 address in IPv6",
  rfc6145: "an IPv4 address in IPv6",
  rfc6052: "an IPv4 address in IPv6",
  "6to4": "an IPv4 address in IPv6",
  teredo: "an IPv4 address in IPv6",
};
