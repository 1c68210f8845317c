import { readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Clock } from '../../../base/clock.ts';
import { announcedBytes, type RateWatch, readBody, watchRate } from '../../../base/read-body.ts';
import { UserError } from '../../../command/errors.ts';
import type { Adapter } from '../../adapter.ts';
import { type Calls, withoutSlash } from '../api/api.ts';
import { isFault, TelegramFault } from '../api/fault.ts';
import { mostDownloadBytes } from '../api/picture-refs.ts';
import { readPhoto } from '../api/refs.ts';
import { retryLater } from '../api/retry-later.ts';

const officialUrl = 'https://api.telegram.org';
const downloadTimeoutMs = 60_000;

/** The person can correct that; other failures are retried. */
const tooLarge = (): UserError => new UserError('The photo is too large.');

interface Fetch {
  readonly signal: AbortSignal;
  readonly rate: RateWatch;
  readonly reserve: Parameters<Adapter['photo']>[3];
}

/** A file's URL contains the bot's token, so it never leaves this file. */
export const createPhotoFetch = (options: {
  readonly token: string;
  readonly apiUrl?: string | undefined;
  readonly call: Calls;
  readonly clock: Clock;
}): Adapter['photo'] => {
  const root = withoutSlash(options.apiUrl ?? officialUrl);

  const download = async (path: string, most: number, { signal, rate, reserve }: Fetch): Promise<Buffer> => {
    const segments = path.split('/');
    if (segments.includes('..')) throw new TelegramFault('file', 'refused', 'unusable path');
    const url = `${root}/file/bot${options.token}/${segments.map(encodeURIComponent).join('/')}`;
    const answer = await fetch(url, { redirect: 'error', signal });
    const announced = announcedBytes(answer.headers);
    const isTooLarge = (announced ?? 0) > most;
    if (!answer.ok || isTooLarge || answer.body === null) {
      await answer.body?.cancel();
      if (isTooLarge) throw tooLarge();
      throw new TelegramFault(
        'file',
        answer.status >= 500 ? 'unreachable' : 'refused',
        `status ${answer.status}`,
      );
    }
    const read = await readBody(answer.body, { maxBytes: most, announced, reserve, rate });
    if (read === 'too-large') throw tooLarge();
    return read;
  };

  /** A Bot API server in local mode returns paths on its disk instead of URLs. */
  const readLocal = async (path: string, most: number, { signal, reserve }: Fetch): Promise<Buffer> => {
    const { size } = await stat(path);
    if (size > most) throw tooLarge();
    await reserve?.(size);
    return await readFile(path, { signal });
  };

  const fetchOnce = async (
    file_id: string,
    most: number,
    signal: AbortSignal,
    reserve: Fetch['reserve'],
  ): Promise<Uint8Array> => {
    const file = await options
      .call('getFile', (raw, abort) => raw.getFile({ file_id }, abort), { signal })
      .catch((error: unknown) => {
        throw isFault(error, 'too-large') ? tooLarge() : error;
      });
    if ((file.file_size ?? 0) > most) throw tooLarge();
    const path = file.file_path ?? '';
    const local = isAbsolute(path) && root !== officialUrl;
    const rate = watchRate(options.clock, undefined, downloadTimeoutMs);
    const fetch = { signal: AbortSignal.any([signal, rate.signal]), rate, reserve };
    try {
      const bytes = await (local ? readLocal(path, most, fetch) : download(path, most, fetch));
      // A proxy may end a truncated body as if it were complete.
      if (bytes.byteLength < (file.file_size ?? 1)) throw new TelegramFault('file', 'unreachable', 'cut off');
      return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    } catch (thrown) {
      // Errors of the network and the disk quote URLs and paths, so they are replaced.
      if (thrown instanceof TelegramFault || thrown instanceof UserError) throw thrown;
      throw new TelegramFault('file', 'unreachable', 'the photo could not be fetched');
    } finally {
      rate.stop();
    }
  };

  return async (ref, maxBytes, signal, reserve) => {
    const { file_id, size = 0 } = readPhoto(ref);
    const most = Math.min(maxBytes, mostDownloadBytes);
    if (size > most) throw tooLarge();
    return await retryLater(() => fetchOnce(file_id, most, signal, reserve), options.clock, { signal });
  };
};
