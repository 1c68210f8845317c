import { isIP } from 'node:net';

/** One person usually controls a whole IPv6 /64, so the first four groups identify them. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (isIP(address) !== 6) return address;
  const [head = '', tail] = address.split('%', 1).join('').toLowerCase().split('::');
  const first = head === '' ? [] : head.split(':');
  const rest = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = tail === undefined ? 0 : 8 - first.length - rest.length;
  const groups = [...first, ...Array<string>(Math.max(0, gap)).fill('0'), ...rest];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
