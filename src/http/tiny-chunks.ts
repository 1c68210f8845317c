import type { Server } from 'node:http';

/** Form fields and ends of segments may arrive in small pieces. */
const FREE_CHUNKS = 100;
const LEAST_MEAN_BYTES = 256;

/** Closes the connection of a body in tiny chunks (`Transfer-Encoding: chunked`): each chunk costs far more than its bytes. */
export function refuseTinyChunks(server: Server): void {
  server.on('request', (request) => {
    const push = request.push.bind(request);
    let chunks = 0;
    let bytes = 0;
    // The parser calls `push` for each chunk; a `data` listener would consume the body.
    request.push = (chunk: Uint8Array | null, encoding?: BufferEncoding): boolean => {
      if (request.destroyed) return false;
      chunks += 1;
      bytes += chunk?.byteLength ?? 0;
      if (chunks <= FREE_CHUNKS || bytes >= chunks * LEAST_MEAN_BYTES) return push(chunk, encoding);
      request.destroy();
      return false;
    };
  });
}
