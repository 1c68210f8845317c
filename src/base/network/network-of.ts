import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** One person usually controls a whole IPv6 /64, so the first four groups identify them. */
export function networkOf(address: string): string {
  if (isIP(address) === 0) return address;
  const parsed = ipaddr.process(address);
  if (!(parsed instanceof ipaddr.IPv6)) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`;
}
