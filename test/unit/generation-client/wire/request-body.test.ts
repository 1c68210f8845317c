import fc from 'fast-check';
import { expect, it } from 'vitest';
import { encodeBody, WirePhoto } from '../../../../src/generation-client/wire/request-body.ts';

const whole = ({ pieces }: ReturnType<typeof encodeBody>): Buffer => Buffer.concat([...pieces()]);
/** Any length, of any few bytes again and again: to make up each byte takes seconds. */
const photo = fc
  .tuple(fc.integer({ min: 1, max: 200_000 }), fc.uint8Array({ minLength: 1, maxLength: 1_000, size: 'max' }))
  .map(([length, bytes]) => Buffer.alloc(length, bytes));

it('equals JSON.stringify with base64 for any text and photos', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.array(photo, { maxLength: 3 }), (prompt, photos) => {
      const body = encodeBody({
        prompt,
        first: new WirePhoto(photos[0] ?? Buffer.from('x'), 'data:image/png;base64,'),
        images: photos.map((bytes) => new WirePhoto(bytes)),
        left_out: undefined,
      });
      const sent = whole(body);
      expect(sent.length).toBe(body.length);
      expect(sent.toString('utf8')).toBe(
        JSON.stringify({
          prompt,
          first: `data:image/png;base64,${Buffer.from(photos[0] ?? Buffer.from('x')).toString('base64')}`,
          images: photos.map((bytes) => Buffer.from(bytes).toString('base64')),
        }),
      );
    }),
    { numRuns: 60 },
  );
});

it('encodes only the given part of a larger buffer', () => {
  const larger = Buffer.from('before the photo after');
  const body = encodeBody({ image: new WirePhoto(larger.subarray(7, 16)) });
  expect(JSON.parse(whole(body).toString())).toEqual({ image: Buffer.from('the photo').toString('base64') });
});
