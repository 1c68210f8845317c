import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { UserError } from '../../command/errors.ts';
import { type Adapter, PhotoGone } from '../adapter.ts';
import { download } from '../download.ts';
import { GONE } from './messages/outcome.ts';
import { filesIn } from './payloads/message-parts.ts';
import { type HostCheck, readAttachmentRef } from './payloads/photo-ref.ts';
import type { DiscordApi } from './rest/api.ts';
import { isRefusedWith } from './rest/fault.ts';

const DOWNLOAD_TIMEOUT_MS = 30_000;
const refreshedUrls = z.object({ refreshed_urls: z.array(z.object({ refreshed: z.string().nullish() })) });
const fetchedMessage = z.object({
  attachments: z.array(z.object({ id: z.string(), url: z.string() })),
  components: z.unknown().optional(),
});

/** Whether the URL has expired. Its parameter `ex` is the expiry time in seconds, as a hexadecimal number. */
function hasExpired(address: string, now: number): boolean {
  const until = Number.parseInt(new URL(address).searchParams.get('ex') ?? '', 16);
  return Number.isFinite(until) && until * 1000 <= now + 5_000;
}

/** Fetches photos by reference, bounded and from Discord's hosts only. An expired URL is refreshed first. */
export function createFetchPhoto(api: DiscordApi, clock: Clock, isAllowedHost: HostCheck): Adapter['photo'] {
  const refreshUrl = async (address: string): Promise<string | undefined> => {
    // `@discordjs/core` has no method for this route.
    const answer = await api
      .within({ repeatable: true })
      .rest.post('/attachments/refresh-urls', { body: { attachment_urls: [address] } });
    return refreshedUrls.parse(answer).refreshed_urls[0]?.refreshed ?? undefined;
  };

  const urlFromMessage = async (channel: string, message: string, id?: string) => {
    const { attachments, components } = fetchedMessage.parse(await api.channels.getMessage(channel, message));
    const files: readonly { readonly id?: string; readonly url: string }[] = [
      ...attachments,
      ...filesIn(components),
    ];
    return (files.find((each) => each.id === id) ?? files[0])?.url;
  };

  return async ({ ref }, maxBytes, signal, reserve) => {
    /** Resolves with undefined if the photo is no longer at this URL. */
    const downloadFrom = async (address: string): Promise<Uint8Array | undefined> => {
      if (!isAllowedHost(address)) throw new Error('the photo is not on one of DISCORD_CDN_HOSTS');
      const limits = { clock, longestMs: DOWNLOAD_TIMEOUT_MS, maxBytes, signal, reserve };
      const read = await download(address, limits);
      // A retry cannot help, but the person can choose a smaller photo.
      if (read === 'too-large') throw new UserError(`The photo is larger than ${maxBytes} bytes.`);
      if (!('status' in read)) return read;
      if ([403, 404, 410].includes(read.status)) return undefined;
      throw new Error(`the photo's host answered ${read.status}`);
    };
    const { url, id, channel, message } = readAttachmentRef(ref);
    // A retry cannot help: the reference names a host that is not allowed.
    if (!isAllowedHost(url)) throw new UserError('The photo is not on a host of Discord.');
    const expired = hasExpired(url, clock.now());
    const first = expired ? undefined : await downloadFrom(url);
    if (first !== undefined) return first;
    const urlSources = [
      () => refreshUrl(url),
      ...(channel === undefined || message === undefined ? [] : [() => urlFromMessage(channel, message, id)]),
      // The expired URL is tried last: this machine's clock may be wrong, or a CDN proxy may ignore the expiry.
      ...(expired ? [async () => url] : []),
    ];
    let isGone = true;
    for (const source of urlSources) {
      signal.throwIfAborted();
      const address = await source().catch((error: unknown) => {
        if (!isRefusedWith(error, ...GONE)) isGone = false;
        return undefined;
      });
      const bytes = address === undefined ? undefined : await downloadFrom(address);
      if (bytes !== undefined) return bytes;
    }
    const reason = 'the photo is no longer there';
    throw isGone ? new PhotoGone(reason) : new Error(reason);
  };
}
