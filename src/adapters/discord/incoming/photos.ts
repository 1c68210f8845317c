import { Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { announcedBytes, readBody, watchRate } from '../../../base/read-body.ts';
import { UserError } from '../../../command/errors.ts';
import { type Adapter, PhotoGone } from '../../adapter.ts';
import { isRefusal } from '../api/fault.ts';
import { type HostCheck, readAttachmentRef } from '../api/photo-ref.ts';
import type { Requests } from '../api/requests.ts';
import { gone } from '../outgoing/outcome.ts';

/** Fetches photos by reference: bounded, from Discord's hosts only, also after the URL expired. */
export type FetchPhoto = (
  ref: string,
  maxBytes: number,
  signal: AbortSignal,
  reserve?: Parameters<Adapter['photo']>[3],
) => Promise<Uint8Array>;

const downloadTimeoutMs = 30_000;
const refreshedUrls = z.object({ refreshed_urls: z.array(z.object({ refreshed: z.string().nullish() })) });
const fetchedMessage = z.object({ attachments: z.array(z.object({ id: z.string(), url: z.string() })) });

/** `ex` is the expiry time: seconds, hexadecimal. */
const hasExpired = (address: string, now: number): boolean => {
  const until = Number.parseInt(new URL(address).searchParams.get('ex') ?? '', 16);
  return Number.isFinite(until) && until * 1000 <= now + 5_000;
};

export const createFetchPhoto = (options: {
  readonly requests: Requests;
  readonly isAllowedHost: HostCheck;
  readonly clock: Clock;
}): FetchPhoto => {
  const { requests, isAllowedHost, clock } = options;

  /** `undefined`: no longer at this URL. */
  const download = async (
    address: string,
    maxBytes: number,
    signal: AbortSignal,
    reserve: Parameters<FetchPhoto>[3],
  ): Promise<Uint8Array | undefined> => {
    if (!isAllowedHost(address)) throw new Error('the photo is not on one of DISCORD_CDN_HOSTS');
    const rate = watchRate(clock, undefined, downloadTimeoutMs);
    try {
      const response = await fetch(address, {
        redirect: 'error',
        signal: AbortSignal.any([signal, rate.signal]),
      });
      if (response.status === 403 || response.status === 404 || response.status === 410) {
        await response.body?.cancel();
        return undefined;
      }
      if (!response.ok) {
        await response.body?.cancel();
        throw new Error(`the photo's host answered ${response.status}`);
      }
      const read = await readBody(response.body ?? new Blob([]).stream(), {
        maxBytes,
        announced: announcedBytes(response.headers),
        reserve,
        rate,
      });
      if (read !== 'too-large') return new Uint8Array(read.buffer, read.byteOffset, read.byteLength);
      await response.body?.cancel();
      // The person can correct that; a retry cannot.
      throw new UserError(`The photo is larger than ${maxBytes} bytes.`);
    } finally {
      rate.stop();
    }
  };

  const refreshUrl = async (address: string): Promise<string | undefined> => {
    const body = { attachment_urls: [address] };
    const route = '/attachments/refresh-urls';
    const answer = await requests.asBot({
      doing: 'renew the address of a photo',
      method: 'POST',
      route,
      body,
      repeatable: true,
    });
    return refreshedUrls.parse(answer).refreshed_urls[0]?.refreshed ?? undefined;
  };

  const urlFromMessage = async (
    channel: string,
    message: string,
    id: string | undefined,
  ): Promise<string | undefined> => {
    const route = Routes.channelMessage(channel, message);
    const answer = await requests.asBot({ doing: 'look up a photo', method: 'GET', route, repeatable: true });
    const { attachments } = fetchedMessage.parse(answer);
    return (attachments.find((each) => each.id === id) ?? attachments[0])?.url;
  };

  return async (ref, maxBytes, signal, reserve) => {
    const { url, id, channel, message } = readAttachmentRef(ref);
    // A retry cannot help.
    if (!isAllowedHost(url)) throw new UserError('The photo is not on a host of Discord.');
    const expired = hasExpired(url, clock.now());
    const first = expired ? undefined : await download(url, maxBytes, signal, reserve);
    if (first !== undefined) return first;
    const urlSources = [
      () => refreshUrl(url),
      ...(channel === undefined || message === undefined ? [] : [() => urlFromMessage(channel, message, id)]),
      // The expiry is a hint: this machine's clock may be wrong, and a CDN proxy may ignore it.
      ...(expired ? [async () => url] : []),
    ];
    let isGone = true;
    for (const source of urlSources) {
      signal.throwIfAborted();
      const address = await source().catch((error: unknown) => {
        if (!isRefusal(error, ...gone)) isGone = false;
        return undefined;
      });
      const bytes = address === undefined ? undefined : await download(address, maxBytes, signal, reserve);
      if (bytes !== undefined) return bytes;
    }
    const reason = 'the photo is no longer there';
    throw isGone ? new PhotoGone(reason) : new Error(reason);
  };
};
