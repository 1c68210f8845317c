import type { PhotoRef } from './photo.ts';

/** The URL parser writes every form of an IPv4 address (octal, one number) as four numbers. */
const IPV4_ADDRESS = /^\d+(\.\d+){3}$/;
const RESERVED_HOST =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|test|invalid|onion|home\.arpa)$/;

/**
 * A public https address, judged by its text. The bot never fetches it; the check keeps the generation service from
 * being pointed at an internal network.
 */
export function photoFromLink(text: string): Extract<PhotoRef, { from: 'link' }> | undefined {
  const address = text.trim();
  if (address.length > 2000 || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  const host = url.hostname.replace(/\.$/, '');
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '') return undefined;
  if (!host.includes('.') || host.startsWith('[') || IPV4_ADDRESS.test(host) || RESERVED_HOST.test(host))
    return undefined;
  return { from: 'link', url: url.href };
}

/** Whether a text is meant as a link, even if the bot would not take it. */
export const looksLikeLink = (text: string): boolean => /^https?:\/\//i.test(text);
