import { readFile, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { UserError } from '../../../command/errors.ts';
import { type Adapter, PhotoGone } from '../../adapter.ts';
import { download, type PhotoLimits } from '../../download.ts';
import { isFault, TelegramFault } from './fault.ts';
import type { TelegramDependencies } from './options.ts';
import { OFFICIAL_URL, rootOf } from './post.ts';
import { MOST_DOWNLOAD_BYTES, readPhoto } from './refs.ts';
import { retryLater } from './retry-later.ts';
import { forApi } from './signals.ts';

const DOWNLOAD_TIMEOUT_MS = 60_000;

/** An error for the person, who can choose a smaller photo; other failures are retried. */
const tooLarge = (): UserError => new UserError('The photo is too large.');

type Limits = Pick<PhotoLimits, 'maxBytes' | 'signal' | 'reserve'>;

/** Fetches photos by reference. The URL of a file contains the bot's token, so it never leaves this file. */
export function createFetchPhoto(
  options: Pick<TelegramDependencies, 'token' | 'apiUrl' | 'api' | 'clock'>,
): Adapter['photo'] {
  const { api, clock } = options;
  const root = rootOf(options);

  const downloadFrom = async (path: string, limits: Limits): Promise<Uint8Array> => {
    const segments = path.split('/');
    if (segments.includes('..')) throw new TelegramFault('file', 'refused', 'unusable path');
    const url = `${root}/file/bot${options.token}/${segments.map(encodeURIComponent).join('/')}`;
    const read = await download(url, { ...limits, clock, longestMs: DOWNLOAD_TIMEOUT_MS });
    if (read === 'too-large') throw tooLarge();
    if (!('status' in read)) return read;
    const kind = read.status >= 500 ? 'unreachable' : 'refused';
    throw new TelegramFault('file', kind, `status ${read.status}`);
  };

  /** A Bot API server in local mode returns paths on its disk instead of URLs. */
  const readLocal = async (path: string, { maxBytes, signal, reserve }: Limits): Promise<Uint8Array> => {
    const { size } = await stat(path);
    if (size > maxBytes) throw tooLarge();
    await reserve?.(size);
    const { buffer, byteOffset, byteLength } = await readFile(path, { signal });
    return new Uint8Array(buffer, byteOffset, byteLength);
  };

  const fetchOnce = async (file_id: string, limits: Limits): Promise<Uint8Array> => {
    const { signal, maxBytes } = limits;
    const file = await api.getFile(file_id, forApi(signal)).catch((error: unknown) => {
      // Telegram describes a file that only cannot be fetched at the moment in other words.
      if (isFault(error, 'refused') && /invalid file_id/i.test(error.message))
        throw new PhotoGone('the photo is no longer there');
      throw isFault(error, 'too-large') ? tooLarge() : error;
    });
    if ((file.file_size ?? 0) > maxBytes) throw tooLarge();
    const path = file.file_path ?? '';
    const isLocal = isAbsolute(path) && root !== OFFICIAL_URL;
    try {
      const bytes = await (isLocal ? readLocal(path, limits) : downloadFrom(path, limits));
      // The size is compared, because a proxy may end a truncated body as if it were complete.
      if (bytes.byteLength < (file.file_size ?? 1)) throw new TelegramFault('file', 'unreachable', 'cut off');
      return bytes;
    } catch (thrown) {
      // Errors of network and disk quote URLs and paths, so they are replaced.
      if (thrown instanceof TelegramFault || thrown instanceof UserError) throw thrown;
      throw new TelegramFault('file', 'unreachable', 'the photo could not be fetched');
    }
  };

  return async (ref, maxBytes, signal, reserve) => {
    const { file_id, size = 0 } = readPhoto(ref);
    const limits = { maxBytes: Math.min(maxBytes, MOST_DOWNLOAD_BYTES), signal, reserve };
    if (size > limits.maxBytes) throw tooLarge();
    return await retryLater(() => fetchOnce(file_id, limits), clock, { signal });
  };
}
