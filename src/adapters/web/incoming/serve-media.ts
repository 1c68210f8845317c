const ONE = /^bytes=(\d{0,15})-(\d{0,15})$/;

function rangeIn(header: string, size: number): { start: number; end: number } | 'unfit' | undefined {
  const [whole, from = '', to = ''] = ONE.exec(header) ?? [];
  // HTTP allows to answer several ranges, or another unit, with the whole.
  if (whole === undefined || (from === '' && to === '')) return undefined;
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from);
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1);
  return start > end || start >= size ? 'unfit' : { start, end };
}

const PIECE_BYTES = 64 * 1024;

/** Makes a stream that copies the bytes piece by piece as they are read, so that a stalled reader holds little memory. */
function inPieces(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close();
      controller.enqueue(bytes.slice(at, at + PIECE_BYTES));
      at += PIECE_BYTES;
    },
  });
}

/**
 * Answers with the media, or with the range that a player wants. `none`: the tag of If-None-Match, with which the answer is
 * 304.
 */
export function serveMedia(
  media: { readonly bytes: Uint8Array; readonly type: string },
  tag: string,
  none?: string,
  wanted?: string,
): Response {
  const size = media.bytes.byteLength;
  const etag = `"${tag}"`;
  const headers = new Headers({
    'content-type': media.type,
    'accept-ranges': 'bytes',
    // The browser must revalidate each time, so that deleted media is not shown from its cache.
    'cache-control': 'private, no-cache',
    etag,
    'content-security-policy': "default-src 'none'; sandbox",
  });
  if (!/^(image|video)\//.test(media.type)) headers.set('content-disposition', 'attachment');
  if (none === etag) return new Response(null, { status: 304, headers });
  const range = wanted === undefined ? undefined : rangeIn(wanted, size);
  if (range === 'unfit') {
    headers.set('content-range', `bytes */${size}`);
    return new Response(null, { status: 416, headers });
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  if (range !== undefined) headers.set('content-range', `bytes ${start}-${end}/${size}`);
  headers.set('content-length', String(end - start + 1));
  return new Response(inPieces(media.bytes.subarray(start, end + 1)), {
    status: range === undefined ? 200 : 206,
    headers,
  });
}
