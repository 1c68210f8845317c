import { Routes } from 'discord.js';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { announcedBytes, readBody, watchRate } from '../../../base/read-body.ts';
import { UserError } from '../../../command/errors.ts';
import { type Adapter, PhotoGone } from '../../adapter.ts';
import { isProblem } from '../api/fault.ts';
import { type HostCheck, readAttachmentRef } from '../api/photo-ref.ts';
import type { Requests } from '../api/requests.ts';
import { gone } from '../outgoing/outcome.ts';

/** Fetches photos by reference: from Discord's own hosts alone, bounded, and again after the address expired. */
export type FetchPhoto = (
  ref: string,
  maxBytes: number,
  signal: AbortSignal,
  reserve?: Parameters<Adapter['photo']>[3],
) => Promise<Uint8Array>;

const WITHIN = 30_000;
const refreshedUrls = z.object({ refreshed_urls: z.array(z.object({ refreshed: z.string().nullish() })) });
const fetchedMessage = z.object({ attachments: z.array(z.object({ id: z.string(), url: z.string() })) });

/** `ex` is the time of expiry in seconds, in hexadecimal. */
const hasExpired = (address: string, now: number): boolean => {
  const until = Number.parseInt(new URL(address).searchParams.get('ex') ?? '', 16);
  return Number.isFinite(until) && until * 1000 <= now + 5_000;
};

export const createFetchPhoto = (options: {
  readonly requests: Requests;
  readonly isOurHost: HostCheck;
  readonly clock: Clock;
}): FetchPhoto => {
  const { requests, isOurHost, clock } = options;

  /** `undefined`: not there any more under this address. */
  const download = async (
    address: string,
    maxBytes: number,
    signal: AbortSignal,
    reserve: Parameters<FetchPhoto>[3],
  ): Promise<Uint8Array | undefined> => {
    if (!isOurHost(address)) throw new Error('the photo is not on one of DISCORD_CDN_HOSTS');
    const rate = watchRate(clock, undefined, WITHIN);
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
      // The person can put that right: no use in trying again.
      throw new UserError(`The photo is larger than ${maxBytes} bytes.`);
    } finally {
      rate.stop();
    }
  };

  const renewed = async (address: string): Promise<string | undefined> => {
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

  const fromMessage = async (
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
    // No use in trying again: nothing is ever fetched from there.
    if (!isOurHost(url)) throw new UserError('The photo is not on a host of Discord.');
    const expired = hasExpired(url, clock.now());
    const first = expired ? undefined : await download(url, maxBytes, signal, reserve);
    if (first !== undefined) return first;
    const ways = [
      () => renewed(url),
      ...(channel === undefined || message === undefined ? [] : [() => fromMessage(channel, message, id)]),
      // The date is a hint: our clock may be wrong, and a proxy of the CDN may not care.
      ...(expired ? [async () => url] : []),
    ];
    let certain = true;
    for (const way of ways) {
      signal.throwIfAborted();
      const address = await way().catch((error: unknown) => {
        if (!isProblem(error, ...gone)) certain = false;
        return undefined;
      });
      const bytes = address === undefined ? undefined : await download(address, maxBytes, signal, reserve);
      if (bytes !== undefined) return bytes;
    }
    const words = 'the photo is no longer there';
    throw certain ? new PhotoGone(words) : new Error(words);
  };
};
