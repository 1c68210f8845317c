import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** The global unicast space of IPv6; the library classifies unassigned space as unicast as well. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Parses an address without the zone of a link-local one: the library does not accept every zone that Node writes (`%br-1`).
 */
const parsedOf = (address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  isIP(address) === 0 ? undefined : ipaddr.parse(address.replace(/%.*/, ''));

/** The network that identifies a visitor: for IPv6 the first four groups, because one person usually controls a whole /64. */
export function networkOf(address: string): string {
  const parsed = parsedOf(address);
  if (parsed === undefined) return address;
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}

/** Whether an address is this machine's own. */
export function isLoopback(address: string): boolean {
  const parsed = parsedOf(address);
  if (parsed === undefined) return false;
  const isMapped = parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress();
  return (isMapped ? parsed.toIPv4Address() : parsed).range() === 'loopback';
}

/** Whether a link from outside may be followed to this address: not if it is of this machine or its networks. */
export function isPublicAddress(address: string): boolean {
  const parsed = parsedOf(address);
  if (parsed === undefined) return false;
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast));
}

/** A `lookup` for sockets that connects to the address that was checked, against DNS rebinding. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, []);
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
      return done(Object.assign(new Error('address is not public'), { code: 'ENOTPUBLIC' }), []);
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });
};
