import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResultScanner } from '../../../../src/generation-client/result/result-stream.ts';
import { png, signature } from '../../../fakes/service/sample-requests.ts';

const limits = { maxPictureBytes: 1_000_000, maxRestBytes: 1_000_000 };

/** Cuts a document at the given places (any numbers) and scans the pieces. */
function scan(document: string | Buffer, cuts: number[], hint?: number) {
  const bytes = Buffer.from(document);
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const scanner = createResultScanner(limits, hint);
  let from = 0;
  for (const to of [...places, bytes.length]) {
    scanner.write(bytes.subarray(from, to));
    from = to;
  }
  return scanner.end();
}

const cuts = fc.array(fc.nat(), { maxLength: 20 });
const everyByte = Array.from({ length: 2000 }, (_, index) => index);
const picture = fc.uint8Array({ maxLength: 3000 }).map((tail) => Buffer.concat([signature, tail]));
const spaces = fc.constantFrom('', ' ', '\n\t', '\r\n  ');

/** JSON text as anybody may write it: spaces anywhere, slashes escaped, keys in any order. */
function written(value: unknown, space: string, escapeSlashes: boolean): string {
  const text = JSON.stringify(value, undefined, space.replace(/[^ \t\n\r]/g, ''));
  return escapeSlashes ? text.replaceAll('/', '\\/') : text;
}

describe('the streamed document', () => {
  it('the streamed document equals JSON.parse for any document cut anywhere', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), cuts, (document, places) => {
        expect(scan(document, places)).toEqual({ rest: JSON.parse(document), picture: undefined });
      }),
      { numRuns: 500 },
    );
  });

  it('the streamed document equals JSON.parse for documents that look like results but hold no picture', () => {
    const key = fc.constantFrom('output', 'images', 'status', 'id', '\u006futput"', 'é', '\\');
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 5 },
        fc.constantFrom(1, null, true, 'output', 'images', '"', '\\"', '{"output":{"images":["'),
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(key, tie('tree'), { maxKeys: 4 }),
      ),
    }));
    const holdsPicture = (value: unknown) =>
      typeof (value as { output?: { images?: unknown[] } } | null)?.output?.images?.some === 'function' &&
      (value as { output: { images: unknown[] } }).output.images.some((image) => typeof image === 'string');

    fc.assert(
      fc.property(tree, cuts, spaces, (value, places, space) => {
        fc.pre(!holdsPicture(value));
        expect(scan(written(value, space, false), places)).toEqual({ rest: value, picture: undefined });
      }),
      { numRuns: 1000 },
    );
  });

  it('the streamed document refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json().map((text) => text.slice(0, -1)),
        ),
        cuts,
        (text, places) => {
          let expected: unknown = 'refused';
          try {
            expected = JSON.parse(text);
          } catch {}
          if (expected === 'refused') expect(() => scan(text, places)).toThrow(/not valid JSON/);
          else expect(scan(text, places).rest).toEqual(expected);
        },
      ),
    );
  });
});

describe('the streamed picture', () => {
  it('the streamed picture equals Buffer.from for any picture, cut anywhere, with any size hint', () => {
    fc.assert(
      fc.property(
        picture,
        cuts,
        spaces,
        fc.boolean(),
        fc.option(fc.nat({ max: 10_000 }), { nil: undefined }),
        fc.boolean(),
        fc.json({ maxDepth: 2 }),
        (bytes, places, space, escapeSlashes, hint, statusLast, other) => {
          const output = {
            before: JSON.parse(other),
            images: [bytes.toString('base64'), 'x\\"y', 3],
            after: [1],
          };
          const value = statusLast ? { output, status: 'COMPLETED' } : { status: 'COMPLETED', output };
          const scanned = scan(written(value, space, escapeSlashes), places, hint);
          expect(scanned.picture?.equals(bytes)).toBe(true);
          expect(scanned.rest).toEqual({
            status: 'COMPLETED',
            output: { before: JSON.parse(other), images: ['', '', 3], after: [1] },
          });
        },
      ),
      { numRuns: 500 },
    );
  });

  const base64 = png.toString('base64');
  const around = (text: string) => `{"output":{"images":["${text}"]},"status":"COMPLETED"}`;
  const unicode = [...base64].map((character) => `\\u00${character.charCodeAt(0).toString(16)}`).join('');

  it.each([
    { what: 'plain', document: around(base64) },
    { what: 'without padding', document: around(base64.replace(/=+$/, '')) },
    { what: 'as a data URI', document: around(`data:image/png;base64,${base64}`) },
    {
      what: 'as a data URI with escaped slashes',
      document: around(`data:image\\/png;charset=x;BASE64,${base64}`),
    },
    { what: 'as a data URI in capitals', document: around(`DATA:image/png;BASE64,${base64}`) },
    { what: 'in wrapped lines', document: around(base64.replace(/(.{10})/g, '$1\\r\\n')) },
    { what: 'all in unicode escapes', document: around(unicode) },
    { what: 'in the URL alphabet', document: around(base64.replaceAll('+', '-').replaceAll('/', '_')) },
    {
      what: 'under escaped keys',
      document: around(base64).replace('output', '\\u006futput').replace('images', 'imag\\u0065s'),
    },
    { what: 'after a blank', document: around(` ${base64}`) },
    { what: 'before a blank', document: around(`${base64}  `) },
    {
      what: 'between line breaks',
      document: around(`\\n\\t${base64.slice(0, 16)}\\r\\n${base64.slice(16)}\\n`),
    },
    { what: 'after an escaped blank', document: around(`\\u0020\\u000a${base64}`) },
    { what: 'in a data URI after a blank', document: around(` data:image/png;base64, ${base64}`) },
    { what: 'after a byte order mark', document: `\ufeff${around(base64)}` },
    {
      what: 'again under the same key',
      document: `{"output":{"images":["${base64.slice(0, 20)}"],"images":["${base64}"]}}`,
    },
  ])('the streamed picture is found $what, also byte by byte', ({ document }) => {
    for (const places of [[], everyByte]) expect(scan(document, places).picture?.equals(png)).toBe(true);
  });

  it.each([
    { what: 'a foreign character', document: around(`${base64.slice(0, 16)}*${base64.slice(17)}`) },
    // It may be a `+` that was lost on the way.
    { what: 'a space in the middle', document: around(`${base64.slice(0, 16)} ${base64.slice(16)}`) },
    { what: 'a letter beyond ASCII', document: around(`${base64.slice(0, 16)}é${base64.slice(16)}`) },
    { what: 'data after the padding', document: around(`${png.subarray(0, 10).toString('base64')}AAAA`) },
    { what: 'padding in the middle', document: around(`${base64.slice(0, 16)}====${base64.slice(16)}`) },
    {
      what: 'a single character too much',
      document: around(`${Buffer.concat([signature, Buffer.alloc(1)]).toString('base64')}A`),
    },
    { what: 'an escaped quote', document: around(`${base64.slice(0, 16)}\\"${base64.slice(16)}`) },
    { what: 'a broken escape', document: around(`${base64.slice(0, 16)}\\u00zz${base64.slice(16)}`) },
    { what: 'a comma that never comes', document: around(`data:${'x'.repeat(500)}`) },
    { what: 'another kind of picture', document: around(Buffer.from('GIF89a, and more').toString('base64')) },
    { what: 'a sound', document: around(Buffer.from('RIFF....WAVEfmt ').toString('base64')) },
  ])('the streamed picture is refused with $what, also byte by byte', ({ document }) => {
    for (const places of [[], everyByte])
      expect(() => scan(document, places)).toThrow(/not base64|none that we know/);
  });

  it.each([
    { what: 'JPEG', bytes: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0x0a]) },
    { what: 'WebP', bytes: Buffer.from('RIFF\n\n\n\nWEBPVP8 ') },
  ])('the streamed picture may be $what, although the interface promises PNG', ({ bytes }) => {
    for (const places of [[], everyByte])
      expect(scan(around(bytes.toString('base64')), places).picture?.equals(bytes)).toBe(true);
  });

  it('the streamed picture is not taken from a truncated document', () => {
    const document = around(base64);
    for (let end = 0; end < document.length; end += 1) {
      expect(() => scan(document.slice(0, end), [])).toThrow(/not valid JSON/);
    }
  });

  it('the streamed picture uses no more memory than needed, whatever the announced length', () => {
    const small = scan(around(base64), [], 1_000_000).picture;
    expect(small?.buffer.byteLength).toBeLessThan(100_000);

    const exact = Buffer.concat([signature, Buffer.alloc(60_000)]);
    const document = around(exact.toString('base64'));
    const fitting = scan(document, [], document.length).picture;
    expect(fitting?.equals(exact)).toBe(true);
    expect(fitting?.buffer.byteLength).toBeLessThan(exact.length + 100);
  });

  it('the streamed picture is bounded', () => {
    const scanner = createResultScanner({ maxPictureBytes: 100, maxRestBytes: 100 }, 1_000_000);
    const large = Buffer.concat([signature, Buffer.alloc(93)]).toString('base64');
    expect(() => scanner.write(Buffer.from(around(large)))).toThrow(/larger than allowed/);
  });
});
