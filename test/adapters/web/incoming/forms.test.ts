import { describe, expect, it } from 'vitest';
import { readGiven, readMessage } from '../../../../src/adapters/web/incoming/parse.ts';
import { createPlaygroundPhotos } from '../../../../src/adapters/web/outgoing/photos.ts';
import { type FormPart, readMultipart } from '../../../../src/sign-in/multipart.ts';
import { createFakeClock } from '../../../fakes/clock.ts';

const type = 'multipart/form-data; boundary=x';

const field = (name: string, value: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const read = (body: string, as = type) => readMultipart(as, Buffer.from(body));

describe('a form', () => {
  it('a form is read as browsers write it', async () => {
    const sent = new FormData();

    sent.set('text', 'zwei\r\nZeilen, größer\r\n--x');
    sent.append('photos', new File([new Uint8Array([13, 10, 45, 45, 0, 255])], 'ein "Bild"; name="id".jpg'));
    sent.append('photos', new File([], 'none'));
    const response = new Response(sent);
    const parts = readMultipart(
      response.headers.get('content-type') ?? '',
      new Uint8Array(await response.arrayBuffer()),
    );

    expect(parts).toEqual([
      { name: 'text', isFile: false, bytes: Buffer.from('zwei\r\nZeilen, größer\r\n--x') },
      { name: 'photos', isFile: true, bytes: Buffer.from([13, 10, 45, 45, 0, 255]) },
      { name: 'photos', isFile: true, bytes: Buffer.alloc(0) },
    ]);
  });

  it('a form may have a boundary in quotes, and no parts', () => {
    expect(read(`${field('a', 'b')}--x--\r\n`, 'multipart/form-data; boundary="x"')).toMatchObject([
      { name: 'a' },
    ]);
    expect(read('--x--')).toEqual([]);
  });

  it.each([
    { what: 'nothing', body: '' },
    { what: 'no end', body: field('a', 'b') },
    { what: 'a part without an end', body: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb' },
    { what: 'a part without a name', body: '--x\r\nContent-Type: text/plain\r\n\r\nb\r\n--x--' },
    { what: 'something before it', body: `preamble\r\n${field('a', 'b')}--x--` },
    {
      what: 'a head that is too long',
      body: `--x\r\nContent-Disposition: form-data; name="a"${'; y="z"'.repeat(1_000)}\r\n\r\nb\r\n--x--`,
    },
  ])('a form is malformed with $what', ({ body }) => expect(read(body)).toBe('malformed'));

  it.each(['', 'application/x-www-form-urlencoded', 'multipart/form-data', `${type}${'x'.repeat(100)}`])(
    'a body is no form as %j',
    (as) => expect(read(`${field('a', 'b')}--x--`, as)).toBe('malformed'),
  );

  it('a form with too many parts is refused', () => {
    // The form has no end, so that whoever read all of it would find it malformed.
    expect(read(field('a', '').repeat(10_000))).toBe('too-many');
  });
});

it('a message in a form has its lines as they were typed, and no text as a photo', () => {
  const fields = { id: 'abcdefgh', room: 'studio', text: 'one\r\ntwo', photos: 'not a file' };
  const form = Object.entries(fields).map(
    ([name, value]): FormPart => ({ name, isFile: false, bytes: Buffer.from(value) }),
  );
  expect(readMessage(form)).toMatchObject({ text: 'one\ntwo', photos: [] });
});

describe('what else was typed', () => {
  it('options that were typed already are read if valid', () =>
    expect(readGiven('{"look":"classic"}')).toEqual({ look: 'classic' }));

  it.each(['', '{', '[]', '{"a b":"c"}', '{"a":1}', 'null'])(
    'options that were typed already are ignored if invalid: %s',
    (text) => expect(readGiven(text)).toEqual({}),
  );
});

it('when the memory for forms is full, the photos of the person who sent most are dropped', async () => {
  const photos = createPlaygroundPhotos(createFakeClock());

  await photos.put([['ann', new Uint8Array(1_000)]], '203.0.113.1');
  const many = Array.from({ length: 1_000 }, (_, each) => [`eve ${each}`, new Uint8Array(5_000)] as const);
  await photos.put(many, '203.0.113.66');

  expect(photos.get('ann')).toBeDefined();
  expect(photos.get('eve 0')).toBeUndefined();
  expect(photos.get('eve 999')).toBeDefined();
});
