import dns, { type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { expect, it, onTestFinished } from 'vitest';
import { isPublicAddress, networkOf, publicLookup } from '../../../../src/base/network/public-address.ts';

const IPV4 = [
  '0.0.0.0',
  '0x7f.1',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '203.0.113.9',
  '2130706433',
  '224.0.0.1',
  '255.255.255.255',
];

const IPV6 = [
  '100:0:0:1::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '2002::1',
  '2002:a00:1::',
  '3fff::1',
  '4000::1',
  '64:ff9b:1::1',
  '64:ff9b::1',
  '64:ff9b::7f00:1',
  '64:ff9b::a00:1',
  '::',
  '::1',
  '::ffff:10.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fe80::1%br-1',
  'fe80::1%eth0.100',
  'ff02::1',
];

it.each([...IPV4, ...IPV6, 'not an address'])('the address %s is not public', (address) =>
  expect(isPublicAddress(address)).toBe(false),
);

it.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])(
  'the address %s is public',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

it('a name that resolves to a private address is not connected to', async () => {
  const error = await new Promise((done) => publicLookup('localhost', {}, (failure) => done(failure)));
  expect(error).toMatchObject({ code: 'ENOTPUBLIC' });
});

it.each([
  { address: '192.0.2.7', network: '192.0.2.7' },
  { address: '::ffff:192.0.2.7', network: '192.0.2.7' },
  { address: '2001:db8:1:2:3:4:5:6', network: '2001:db8:1:2::/64' },
  { address: '2001:DB8::1', network: '2001:db8:0:0::/64' },
  { address: 'fe80::1%br-1', network: 'fe80:0:0:0::/64' },
  { address: 'unknown', network: 'unknown' },
])('the name $address counts as $network', ({ address, network }) =>
  expect(networkOf(address)).toBe(network),
);

it('a name that resolves to a public and to a private address is not connected to', async () => {
  const { lookup } = dns;
  const resolveWith = (changed: unknown): void => {
    Object.assign(dns, { lookup: changed });
    syncBuiltinESMExports();
  };
  onTestFinished(() => resolveWith(lookup));
  resolveWith((_: string, __: object, found: (error: null, addresses: LookupAddress[]) => void) =>
    found(null, [
      { address: '8.8.8.8', family: 4 },
      { address: '10.1.2.3', family: 4 },
    ]),
  );

  const error = await new Promise((done) => publicLookup('two.example', {}, (failure) => done(failure)));

  expect(error).toMatchObject({ code: 'ENOTPUBLIC' });
});
