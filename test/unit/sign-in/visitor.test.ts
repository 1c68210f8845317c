import { Hono } from 'hono';
import { expect, it } from 'vitest';
import { visitorAddress } from '../../../src/sign-in/visitor.ts';

const seen = async (remoteAddress: string, headers: Record<string, string> = {}): Promise<string> => {
  const app = new Hono().get('/', (context) => context.text(visitorAddress(context)));
  return (await app.request('/', { headers }, { incoming: { socket: { remoteAddress } } })).text();
};

it.each([
  ['127.0.0.1', {}, '127.0.0.1'],
  ['::ffff:127.0.0.1', {}, '127.0.0.1'],
  ['203.0.113.9', {}, '203.0.113.9'],
  // A proxy on this machine tells whom it has seen: last. What comes before it, the visitor may have made up.
  ['127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }, '203.0.113.9'],
  ['::ffff:127.0.0.1', { 'x-forwarded-for': '10.0.0.1, 203.0.113.9' }, '203.0.113.9'],
  ['::1', { forwarded: 'for=10.0.0.1, for=203.0.113.9;proto=https' }, '203.0.113.9'],
  ['::1', { forwarded: 'proto=https;for="[2001:db8:1:2::7]:4711"' }, '2001:db8:1:2::/64'],
  ['127.0.0.1', { 'x-forwarded-for': 'unknown' }, '127.0.0.1'],
  ['127.0.0.1', { 'x-forwarded-for': '203.0.113.9, not an address' }, '127.0.0.1'],
  // Nobody else is believed.
  ['203.0.113.9', { 'x-forwarded-for': '10.0.0.1' }, '203.0.113.9'],
  ['172.17.0.1', { forwarded: 'for=10.0.0.1' }, '172.17.0.1'],
  // One person has many addresses of IPv6.
  ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', {}, '2001:db8:1:2::/64'],
  ['2001:db8::1', {}, '2001:db8:0:0::/64'],
  ['fe80::1%eth0', {}, 'fe80:0:0:0::/64'],
])('the address of a visitor from %s with %j is %s', async (address, headers, visitor) => {
  expect(await seen(address, headers)).toBe(visitor);
});
