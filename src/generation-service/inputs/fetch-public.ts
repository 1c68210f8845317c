import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress, publicLookup } from '../../base/network/public-address.ts';
import { HttpError, invalidImage } from '../interface/http-error.ts';
import { readMessage } from './read-message.ts';

export interface FetchLimits {
  maxBytes: number;
  timeoutMs: number;
  /** For tests with a server on this machine. */
  allowPrivateUrls: boolean;
}

const MAX_REDIRECTS = 3;

function notPublic() {
  return invalidImage('The image URL must be publicly accessible.');
}

/** Reads a public http(s) address into memory, or throws INVALID_IMAGE. */
export async function fetchPublic(address: string, limits: FetchLimits): Promise<Buffer> {
  // One deadline for the whole chain: a slow server cannot gain time by redirecting.
  const signal = AbortSignal.timeout(limits.timeoutMs);
  let url = parseAddress(address, limits);
  try {
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const response = await open(url, limits, signal);
      const status = response.statusCode ?? 0;
      const location = response.headers.location;
      if (status >= 300 && status < 400 && location !== undefined) {
        response.destroy();
        url = parseAddress(new URL(location, url).href, limits);
        continue;
      }
      if (status !== 200) {
        response.destroy();
        throw invalidImage(`The image URL answered with HTTP ${status}.`);
      }
      const body = await readMessage(response, limits.maxBytes);
      if (body !== 'too-large') return body;
      throw invalidImage(`The image is larger than ${limits.maxBytes} bytes.`);
    }
  } catch (error) {
    if (error instanceof HttpError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOTPUBLIC') throw notPublic();
    throw invalidImage(signal.aborted ? 'The image URL took too long.' : 'The image URL could not be read.');
  }
  throw invalidImage('The image URL redirects too often.');
}

function parseAddress(address: string, limits: FetchLimits): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw invalidImage('The image URL must be http or https.');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidImage('The image URL must not contain credentials.');
  }
  // A literal address never goes through the lookup below, so it is checked here.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (!limits.allowPrivateUrls && isIP(host) !== 0 && !isPublicAddress(host)) {
    throw notPublic();
  }
  return url;
}

function open(url: URL, limits: FetchLimits, signal: AbortSignal): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((done, fail) => {
    const request = send(url, {
      signal,
      // No shared agent: a kept-alive connection would skip the check of the address.
      agent: false,
      headers: { accept: 'image/*', 'user-agent': 'darkroom-generation-service' },
      ...(limits.allowPrivateUrls ? {} : { lookup: publicLookup }),
    });
    request.on('response', done);
    request.on('error', fail);
    request.end();
  });
}
