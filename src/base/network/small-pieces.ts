import type { Dispatcher } from 'undici';

/** Refuses transfers in pieces so small that they cost more than they contain. */

/** Pieces without a size limit: form fields and ends of segments may arrive in small pieces. */
const FREE_PIECES = 100;
/**
 * Pieces of an answer without a size limit: a server may send a blank from time to time to keep its connection open while it
 * works.
 */
const FREE_PIECES_OF_ANSWER = 1_000;
const LEAST_MEAN_BYTES = 256;
/** Limit of interim answers (status below 200), of which a server sends one or two. */
const MOST_INTERIM_ANSWERS = 200;

/** Whether a body arrives in pieces that are too small: each costs far more time and memory than its bytes. */
export const areTooSmall = (pieces: number, bytes: number, free = FREE_PIECES): boolean =>
  pieces > free && bytes < pieces * LEAST_MEAN_BYTES;

/** Thrown if the other side sends pieces or interim answers that cost more than they contain. */
export class SmallPieces extends Error {
  override readonly name = 'SmallPieces';
  readonly code = 'ERR_SMALL_PIECES';
}

function counting(handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
  let interim = 0;
  let pieces = 0;
  let bytes = 0;
  return {
    onRequestStart: (...given) => handler.onRequestStart?.(...given),
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart(controller, status, headers, message) {
      if (status < 200) interim += 1;
      if (interim > MOST_INTERIM_ANSWERS) controller.abort(new SmallPieces('sent interim answers only'));
      else handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData(controller, piece) {
      pieces += 1;
      bytes += piece.byteLength;
      if (areTooSmall(pieces, bytes, FREE_PIECES_OF_ANSWER))
        controller.abort(new SmallPieces('sent in pieces that are too small'));
      else handler.onResponseData?.(controller, piece);
    },
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
  };
}

/** An interceptor for undici that aborts an answer in pieces so small that reading them would delay all other work. */
export const refuseSmallPieces: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
  dispatch(options, counting(handler));
