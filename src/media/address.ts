import { lookup as resolve } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** Addresses that a link from outside must never lead us to: our own machine and the networks behind it. */
const inside = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  inside.addSubnet(network, prefix, 'ipv4');
}

/** Only global unicast (2000::/3) is public in IPv6; of that, tunnels that carry an IPv4 address inside are not. */
const outsideV6 = new BlockList();
outsideV6.addSubnet('2000::', 3, 'ipv6');
const tunnelsV6 = new BlockList();
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  tunnelsV6.addSubnet(network, prefix, 'ipv6');
}

export const isPublicAddress = (address: string): boolean => {
  const version = isIP(address);
  if (version === 4) return !inside.check(address, 'ipv4');
  if (version === 6) return outsideV6.check(address, 'ipv6') && !tunnelsV6.check(address, 'ipv6');
  return false;
};

/** For a socket's `lookup`: the address that was checked is the one connected to, so DNS cannot change its mind. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, []);
    const refused = addresses.find(({ address }) => !isPublicAddress(address));
    const first = addresses[0];
    if (refused !== undefined || first === undefined) {
      return done(Object.assign(new Error('address is not public'), { code: 'ENOTPUBLIC' }), []);
    }
    return options.all ? done(null, addresses) : done(null, first.address, first.family);
  });
};
