import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { visitorAddress } from '../../../src/sign-in/visitor.ts';

const addressSeen = async (remoteAddress: string, headers: Record<string, string> = {}): Promise<string> => {
  const app = new Hono().get('/', (context) => context.text(visitorAddress(context)));
  return (await app.request('/', { headers }, { incoming: { socket: { remoteAddress } } })).text();
};

it.each([
  { address: '127.0.0.1', headers: {}, visitor: '127.0.0.1' },
  { address: '::ffff:127.0.0.1', headers: {}, visitor: '127.0.0.1' },
  { address: '203.0.113.9', headers: {}, visitor: '203.0.113.9' },
  // A proxy on this machine adds the address that it saw as the last entry; the visitor can forge the entries before it.
  { address: '127.0.0.1', headers: { 'x-forwarded-for': '203.0.113.9' }, visitor: '203.0.113.9' },
  {
    address: '::ffff:127.0.0.1',
    headers: { 'x-forwarded-for': '10.0.0.1, 203.0.113.9' },
    visitor: '203.0.113.9',
  },
  {
    address: '::1',
    headers: { forwarded: 'for=10.0.0.1, for=203.0.113.9;proto=https' },
    visitor: '203.0.113.9',
  },
  {
    address: '::1',
    headers: { forwarded: 'proto=https;for="[2001:db8:1:2::7]:4711"' },
    visitor: '2001:db8:1:2::/64',
  },
  { address: '127.0.0.1', headers: { 'x-forwarded-for': 'unknown' }, visitor: '127.0.0.1' },
  {
    address: '127.0.0.1',
    headers: { 'x-forwarded-for': '203.0.113.9, not an address' },
    visitor: '127.0.0.1',
  },
  // A forwarded address counts only when a proxy on this machine sends it, because others could forge it.
  { address: '203.0.113.9', headers: { 'x-forwarded-for': '10.0.0.1' }, visitor: '203.0.113.9' },
  { address: '172.17.0.1', headers: { forwarded: 'for=10.0.0.1' }, visitor: '172.17.0.1' },
  // One person has many IPv6 addresses, so the visitor is their network.
  { address: '2001:db8:1:2:aaaa:bbbb:cccc:dddd', headers: {}, visitor: '2001:db8:1:2::/64' },
  { address: '2001:db8::1', headers: {}, visitor: '2001:db8:0:0::/64' },
  { address: 'fe80::1%eth0', headers: {}, visitor: 'fe80:0:0:0::/64' },
])(
  'the address of a visitor from $address with $headers is $visitor',
  async ({ address, headers, visitor }) => {
    expect(await addressSeen(address, headers)).toBe(visitor);
  },
);
