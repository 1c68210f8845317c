import { describe, expect, it } from 'vitest';
import type { Part } from '../../../../src/adapters/web/incoming/multipart.ts';
import { readGiven, readMessage } from '../../../../src/adapters/web/incoming/parse.ts';

describe('a message', () => {
  const form = (fields: Record<string, string>): readonly Part[] =>
    Object.entries({ id: 'abcdefgh', room: 'studio', ...fields }).map(([name, value]) => ({
      name,
      isFile: false,
      bytes: Buffer.from(value),
    }));

  it('has its lines as they were typed', () => {
    const read = readMessage(form({ text: 'one\r\ntwo' }));
    expect(read).toMatchObject({ text: 'one\ntwo', photos: [] });
  });

  it('needs text or photos, a valid id and a valid room', () => {
    expect(readMessage(form({ text: ' ' }))).toBe('malformed');
    expect(readMessage(form({ text: 'x', id: 'a b' }))).toBe('malformed');
    expect(readMessage(form({ text: 'x', room: '../x' }))).toBe('malformed');
    expect(readMessage(form({}))).toBe('malformed');
  });

  it('does not accept text as a photo', () => {
    expect(readMessage(form({ text: 'x', photos: 'not a file' }))).toMatchObject({ photos: [] });
  });
});

describe('what else was typed', () => {
  it('is read if valid', () => expect(readGiven('{"look":"classic"}')).toEqual({ look: 'classic' }));
  it.each(['', '{', '[]', '{"a b":"c"}', '{"a":1}', 'null'])('is ignored otherwise: %s', (text) =>
    expect(readGiven(text)).toEqual({}),
  );
});
