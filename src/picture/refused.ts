/**
 * A picture that is not decoded, now or later. `format`: none of the three that are read; `pixels`: too many; `broken`:
 * it cannot be read; `too-complex`: reading it would cost more than an ordinary picture of its size does.
 */
export class PictureRefused extends Error {
  override readonly name = 'PictureRefused';
  readonly reason: 'format' | 'pixels' | 'broken' | 'too-complex';

  constructor(reason: PictureRefused['reason'], detail?: string) {
    super(`picture refused: ${reason}${detail === undefined ? '' : ` (${detail})`}`);
    this.reason = reason;
  }
}
