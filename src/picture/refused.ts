/**
 * A picture that is never decoded. `format`: not JPEG, PNG or WebP; `pixels`: too many; `broken`: unreadable;
 * `too-complex`: decoding costs far more than an ordinary picture of its size.
 */
export class PictureRefused extends Error {
  override readonly name = 'PictureRefused';
  readonly reason: 'format' | 'pixels' | 'broken' | 'too-complex';

  constructor(reason: PictureRefused['reason'], detail?: string) {
    super(`picture refused: ${reason}${detail === undefined ? '' : ` (${detail})`}`);
    this.reason = reason;
  }
}
