import type { Server } from 'node:http';

/** A form's fields, or the end of a segment, may come as small pieces. */
const freeChunks = 100;
const leastMeanBytes = 256;

/**
 * A body in pieces of a byte each (`Transfer-Encoding: chunked`) takes far more work and memory than its size tells: its
 * connection is closed.
 */
export const refuseTinyChunks = (server: Server): void => {
  server.on('request', (request) => {
    const push = request.push.bind(request);
    let chunks = 0;
    let bytes = 0;
    // Here the parser hands over each piece; listening for `data` would take the body from whoever reads it.
    request.push = (chunk: Uint8Array | null, encoding?: BufferEncoding): boolean => {
      if (request.destroyed) return false;
      chunks += 1;
      bytes += chunk?.byteLength ?? 0;
      if (chunks <= freeChunks || bytes >= chunks * leastMeanBytes) return push(chunk, encoding);
      request.destroy();
      return false;
    };
  });
};
