import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Global unicast space of IPv6; the library classifies unassigned space as unicast, too. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether a link from outside may be followed: not to this machine or its networks. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  return parsed.range() === 'unicast' && (parsed.kind() === 'ipv4' || parsed.match(globalUnicast));
}

/** For a socket's `lookup`: connects to the address that was checked (DNS rebinding). */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, []);
    const [first] = addresses;
    if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address)))
      return done(Object.assign(new Error('address is not public'), { code: 'ENOTPUBLIC' }), []);
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });
};
