// @module-tag slow
import { createServer, type ServerResponse } from 'node:http';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDownloads, type Downloads } from '../../../src/base/network/download.ts';
import { createDecoder, type Decoder } from '../../../src/picture/decoder.ts';
import { columnsFor } from '../../../src/previews/layout.ts';
import {
  createPreviews,
  type Previews,
  type Sheet,
  type SheetEntry,
} from '../../../src/previews/previews.ts';
import { photoOf } from '../../e2e/stage/pictures.ts';
import { eventually } from '../../eventually.ts';
import { createFakeClock, type FakeClock } from '../../fakes/clock.ts';
import * as hostile from '../../fakes/hostile-pictures.ts';
import { hangUp, listen } from '../../listen.ts';

const colours = { red: '#c02020', green: '#20a040', blue: '#2040c0' } as const;
type Colour = keyof typeof colours;
const plain = (colour: Colour): Promise<Buffer> => photoOf(colours[colour]);

type Answer = (response: ServerResponse) => unknown;
const answers = new Map<string, Answer>();
const asked: string[] = [];

const server = createServer({ maxHeaderSize: 65_536 }, (request, response) => {
  const path = request.url ?? '';
  asked.push(path);
  response.on('error', () => {});
  (answers.get(path) ?? status(404))(response);
});

let origin = '';

beforeAll(async () => {
  origin = await listen(server);
});

afterAll(() => hangUp(server));

const log = { debug: () => undefined, warn: () => undefined };
let clock: FakeClock;
let decoder: Decoder;
let downloads: Downloads;
let previews: Previews;
const done = { converted: 0, composed: 0 };
/** Processes are shared by all tests, with a clock of their own: nothing in them hangs. */
const real = createDecoder({ clock: createFakeClock() });
afterAll(() => real.close());

beforeEach(async () => {
  asked.length = 0;
  answers.clear();
  for (const colour of ['red', 'green', 'blue'] as const) {
    const bytes = await plain(colour);
    answers.set(`/${colour}`, (response) => response.end(bytes));
  }
  Object.assign(done, { converted: 0, composed: 0 });
  decoder = {
    ...real,
    convert(...given) {
      done.converted += 1;
      return real.convert(...given);
    },
    compose(...given) {
      done.composed += 1;
      return real.compose(...given);
    },
  };
  clock = createFakeClock();
  downloads = createDownloads(origin, clock);
  previews = createPreviews({ downloads, decoder, clock, log, hasMark: false });
});

afterEach(async () => {
  previews.close();
  server.closeAllConnections();
  await downloads.close();
});

const entry = (path: string | undefined): SheetEntry => ({
  label: '',
  name: '',
  ...(path === undefined ? {} : { preview: path.startsWith('/') ? `${origin}${path}` : path }),
});

const sheetOf = (...paths: readonly (string | undefined)[]): Promise<Sheet | undefined> =>
  previews.sheet(paths.map(entry), 'ann');

const tile = (path: string): Promise<Buffer | undefined> => previews.tile(`${origin}${path}`);

/** The colour that each tile of a sheet shows, read from its lower middle. */
const shown = async (sheet: Sheet | undefined, count: number): Promise<readonly (Colour | 'plain')[]> => {
  if (sheet === undefined) throw new Error('no sheet');
  const { data, info } = await sharp(sheet.bytes).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: sheet.width, height: sheet.height });
  const columns = columnsFor(count);
  const side = (info.width - 40 - (columns - 1) * 16) / columns;
  return Array.from({ length: count }, (_, index) => {
    const x = Math.floor(20 + (index % columns) * (side + 16) + side / 2);
    const y = Math.floor(20 + Math.floor(index / columns) * (side + 16) + side * 0.9);
    const [r = 0, g = 0, b = 0] = data.subarray((y * info.width + x) * info.channels);
    if (Math.min(r, g, b) > 150) return 'plain';
    return r > g && r > b ? 'red' : g > b ? 'green' : 'blue';
  });
};

/** Advances until it is there: first the wait for the tiles, then what is left. */
const afterTheWait = async (sheet: Promise<Sheet | undefined>): Promise<Sheet | undefined> => {
  await clock.advance(1_300);
  return sheet;
};

describe('the visible mark', () => {
  it.each([undefined, 'own'])(
    'tiles have the visible mark, if pictures get it (origin: %s)',
    async (whose) => {
      const marking = createPreviews({
        downloads,
        decoder,
        clock,
        log,
        hasMark: true,
        ...(whose === 'own' && { ownOrigin: origin }),
      });
      const brightest = async (picture: Buffer | undefined) => {
        const corner = await sharp(picture)
          .extract({ left: 270, top: 280, width: 50, height: 40 })
          .toBuffer();
        const { channels } = await sharp(corner).stats();
        return Math.min(...channels.map(({ max }) => max));
      };
      expect(await brightest(await marking.tile(`${origin}/red`))).toBeGreaterThan(220);
      expect(await brightest(await tile('/red'))).toBeLessThan(100);

      marking.close();
    },
  );
});

describe('a sheet', () => {
  it('a sheet shows the previews of its entries', async () => {
    const sheet = await sheetOf('/red', '/green', '/blue', '/red', '/green', '/blue', '/red');

    expect(await shown(sheet, 7)).toEqual(['red', 'green', 'blue', 'red', 'green', 'blue', 'red']);
    expect(asked).toHaveLength(3);
    expect(clock.pending).toBe(0);
  });

  it('there is no sheet without any preview, and nothing is fetched for it', async () => {
    expect(await sheetOf(undefined, undefined)).toBeUndefined();
    expect(await sheetOf()).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('a sheet has a plain tile where there is no preview', async () => {
    expect(await shown(await sheetOf('/red', undefined, '/missing'), 3)).toEqual(['red', 'plain', 'plain']);
  });

  it('a sheet is drawn once for the same content, also for many at once', async () => {
    const [first, ...others] = await Promise.all([1, 2, 3].map(() => sheetOf('/red', '/green')));

    expect(others.every((each) => each === first)).toBe(true);
    expect(await sheetOf('/red', '/green')).toBe(first);
    expect(done).toEqual({ converted: 2, composed: 1 });
    expect(await sheetOf('/green', '/red')).not.toBe(first);
  });

  it('a sheet has at most 25 tiles', async () => {
    const [more, most] = await Promise.all([40, 25].map((n) => sheetOf(...Array<string>(n).fill('/red'))));

    expect(most?.bytes.equals(more?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  it('a sheet for one person is drawn while another person asks for hundreds', async () => {
    await tile('/red');
    const { promise: isFree, resolve: free } = Promise.withResolvers<void>();
    const { compose } = decoder;
    decoder.compose = async (...given) => {
      if (given[1] === 'ann') await isFree;
      return compose(...given);
    };
    const page = (name: string, person: string) => previews.sheet([{ ...entry('/red'), name }], person);
    const flood = Array.from({ length: 500 }, (_, index) => page(`${index}`, 'ann'));

    expect(await shown(await page('mine', 'bob'), 1)).toEqual(['red']);

    free();
    // Ann's first ones are drawn as well, and she is not shut out.
    expect((await Promise.all(flood)).filter((sheet) => sheet !== undefined).length).toBeGreaterThan(0);
    expect(await shown(await page('later', 'ann'), 1)).toEqual(['red']);
  });

  it('a sheet takes at most two seconds, also when it cannot be drawn', async () => {
    decoder.compose = () => new Promise(() => undefined);
    await tile('/red');
    const hanging = sheetOf('/red');
    await clock.advance(1_999);
    const state = await Promise.race([hanging, Promise.resolve('waiting')]);

    expect(state).toBe('waiting');

    await clock.advance(1);

    expect(await hanging).toBeUndefined();

    decoder.compose = () => Promise.reject(new Error('no processes left'));

    expect(await sheetOf('/red', undefined)).toBeUndefined();
  });
});

const status =
  (code: number, headers = {}): Answer =>
  (response) =>
    response.writeHead(code, headers).end();

const endless =
  (code: number): Answer =>
  (response) => {
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      if (!response.destroyed) response.once('drain', more);
    };
    response.writeHead(code);
    more();
  };

/** The first bytes of so many. */
const announcing =
  (length: number, then?: (response: ServerResponse) => unknown): Answer =>
  (response) => {
    response.writeHead(200, { 'content-length': length });
    response.write(Buffer.alloc(10), () => then?.(response));
  };

const size = { width: 200, height: 200 };

const bytes =
  (picture: Uint8Array, type = 'image/jpeg'): Answer =>
  (response) =>
    response.writeHead(200, { 'content-type': type }).end(picture);

describe('a hostile preview costs its tile and nothing else', () => {
  const all: readonly { readonly what: string; readonly answer: Answer }[] = [
    { what: 'missing', answer: status(404) },
    { what: 'missing, with an endless page about it', answer: endless(404) },
    { what: 'a broken server', answer: status(500) },
    { what: 'a lost connection', answer: (response) => response.destroy() },
    { what: 'a connection lost in the middle', answer: announcing(1_000, (response) => response.destroy()) },
    { what: 'nothing', answer: bytes(Buffer.alloc(0)) },
    { what: 'an endless body', answer: endless(200) },
    { what: 'an announced terabyte', answer: announcing(2 ** 40) },
    { what: 'endless headers', answer: status(200, { 'x-large': 'x'.repeat(40_000) }) },
    {
      what: 'a picture of more pixels than bytes',
      answer: bytes(hostile.hollowPng({ width: 60_000, height: 60_000 })),
    },
    {
      what: 'more pixels than a preview may have',
      answer: bytes(hostile.plainPng({ width: 4_000, height: 4_000 })),
    },
    { what: 'the first half of a picture', answer: bytes(hostile.truncated(hostile.plainJpeg(size))) },
    { what: 'thousands of scans', answer: bytes(hostile.manyScansJpeg(size, 5_000)) },
    {
      what: 'SVG called JPEG',
      answer: bytes(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')),
    },
    { what: 'a page called PNG', answer: bytes(Buffer.from('<!doctype html><img src=x>'), 'image/png') },
    {
      what: 'GIF',
      answer: bytes(Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')),
    },
    { what: 'one pixel', answer: bytes(hostile.plainPng({ width: 1, height: 1 })) },
    { what: 'a line', answer: bytes(hostile.plainPng({ width: 20_000, height: 1 })) },
    { what: 'a stripe', answer: bytes(hostile.plainPng({ width: 64, height: 6_400 })) },
    { what: 'in a private network', answer: status(302, { location: 'https://10.0.0.8/x.jpg' }) },
  ];

  it('a hostile preview of any kind costs its tile alone, and is not asked for again with each view', async () => {
    const paths = all.map((_, index) => `/hostile-${index}`);

    for (const [index, { answer }] of all.entries()) answers.set(`/hostile-${index}`, answer);
    const [first, ...tiles] = await shown(await sheetOf('/red', ...paths), paths.length + 1);

    expect(first).toBe('red');
    expect(all.filter((_, index) => tiles[index] !== 'plain').map(({ what }) => what)).toEqual([]);

    const times = asked.length;
    await sheetOf(...paths, '/red');

    expect(asked).toHaveLength(times);
  });

  it('a preview at an address that is not allowed costs its tile alone', async () => {
    const addresses = ['http://10.0.0.8/x.jpg', 'no address', `https://example.com/${'x'.repeat(5_000)}`];
    const tiles = await shown(await sheetOf('/red', ...addresses), addresses.length + 1);

    expect(tiles).toEqual(['red', ...addresses.map(() => 'plain')]);
  });

  it.each<{ readonly what: string; readonly answer: Answer }>([
    { what: 'that never answers', answer: () => undefined },
    { what: 'that never ends', answer: (response) => response.write('\xff\xd8\xff', 'latin1') },
    {
      what: 'that comes in drops',
      answer: (response) => {
        const drop = setInterval(() => response.write('x'), 20);
        response.on('close', () => clearInterval(drop));
      },
    },
  ])('a preview $what is given up, and left alone for a while', async ({ answer }) => {
    answers.set('/hostile', answer);
    await Promise.all([tile('/red'), tile('/blue')]);
    const sheet = sheetOf('/red', '/hostile', '/blue');
    await eventually(() => asked.includes('/hostile'));

    expect(await shown(await afterTheWait(sheet), 3)).toEqual(['red', 'plain', 'blue']);

    await clock.advance(10_000);
    await eventually(() => clock.pending === 0);

    expect(await shown(await sheetOf('/red', '/hostile'), 2)).toEqual(['red', 'plain']);
    expect(asked.filter((path) => path === '/hostile')).toHaveLength(1);

    // The server has recovered.
    answers.set('/hostile', bytes(await plain('green')));
    await clock.advance(120_000);

    expect(await shown(await sheetOf('/red', '/hostile'), 2)).toEqual(['red', 'green']);
  });

  it('many previews that never answer do not keep the others waiting', async () => {
    const hanging = Array.from({ length: 20 }, (_, index) => `/hanging-${index}`);

    for (const path of hanging) answers.set(path, () => undefined);
    const sheet = sheetOf(...hanging, '/red', '/green', '/blue');
    await eventually(() => asked.length === 13);
    // They are slow, and no longer count.
    await clock.advance(400);
    await eventually(() => asked.length === 23);
    await Promise.all(['/red', '/green', '/blue'].map(tile));
    await clock.advance(900);

    expect((await shown(await sheet, 23)).slice(-3)).toEqual(['red', 'green', 'blue']);
  });

  it('a preview of another type than it says, and an animation, are pictures', async () => {
    answers.set('/typed', bytes(await plain('green'), 'text/html'));
    answers.set('/moving', bytes(hostile.animatedWebp({ width: 64, height: 64 }, 3), 'image/webp'));
    const [typed] = await shown(await sheetOf('/typed', '/moving'), 2);

    expect(typed).toBe('green');
    expect(await tile('/moving')).toBeInstanceOf(Buffer);
  });
});

describe('previews', () => {
  it('previews on the host of the service are fetched at the pace of its calls, and not given up while they wait', async () => {
    const turns: (() => void)[] = [];
    await using paced = new AsyncDisposableStack();
    const atPace = createDownloads(origin, clock, {
      turn: () => new Promise((come) => void turns.push(come)),
    });

    paced.defer(() => atPace.close());
    const slowly = createPreviews({ downloads: atPace, decoder, clock, log, hasMark: false });
    paced.defer(() => slowly.close());
    const many = Array.from({ length: 79 }, (_, index) => `/many-${index}`);
    const green = await plain('green');
    for (const path of many) answers.set(path, bytes(green));
    slowly.warm(many.map(entry));
    await eventually(() => turns.length === 13);
    await clock.advance(60_000);

    expect(asked, 'the others do not stand in line yet').toEqual([]);
    expect(turns, 'the others do not stand in line yet').toHaveLength(13);

    for (const [index] of many.entries()) {
      await eventually(() => turns.length > index);
      turns[index]?.();
      await eventually(() => asked.length === index + 1);
    }
    expect(await slowly.tile(`${origin}/many-78`)).toBeInstanceOf(Buffer);
    expect(turns).toHaveLength(79);
  });

  it('previews that come too late are there the next time', async () => {
    let answer: () => void = () => undefined;

    const late = await plain('green');
    answers.set('/late', (response) => {
      answer = () => response.end(late);
    });
    const sheet = sheetOf('/red', '/late');
    await tile('/red');
    await eventually(() => asked.includes('/late'));

    expect(await shown(await afterTheWait(sheet), 2)).toEqual(['red', 'plain']);

    const next = sheetOf('/red', '/late');
    answer();

    expect(await shown(await next, 2)).toEqual(['red', 'green']);
  });

  it('previews are refreshed in the background, and changed ones become visible', async () => {
    const first = await sheetOf('/red', '/blue');
    await clock.advance(6 * 3_600_000 - 1);

    expect(await sheetOf('/red', '/blue')).toBe(first);
    expect(asked).toHaveLength(2);

    answers.set('/red', bytes(await plain('green')));
    await clock.advance(1);

    expect(await sheetOf('/red', '/blue')).toBe(first);

    await eventually(() => done.converted === 3 && clock.pending === 0);
    const second = await eventually(async () => {
      const now = await sheetOf('/red', '/blue');
      return now !== first && now;
    });
    expect(await shown(second, 2)).toEqual(['green', 'blue']);
    expect(asked).toHaveLength(4);

    // The blue one is the same, and was not decoded again.
    expect(done.converted).toBe(3);
  });

  it('previews stay when the service is away for a moment, and go when they are gone', async () => {
    await tile('/red');
    answers.set('/red', status(503));
    await clock.advance(6 * 3_600_000);

    expect(await tile('/red')).toBeInstanceOf(Buffer);

    await eventually(() => asked.length === 2 && clock.pending === 0);
    answers.set('/red', status(410));
    await clock.advance(120_000);
    await tile('/red');
    await eventually(async () => (await tile('/red')) === undefined);

    expect(asked).toHaveLength(3);
  });

  it('previews are asked for again soon after a failure, then less often', async () => {
    answers.set('/away', status(503));
    for (const [tries, pauseMs] of [5_000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000].entries()) {
      await tile('/away');
      await eventually(() => asked.length === tries + 1 && clock.pending === 0);
      await clock.advance(pauseMs - 1);
      await tile('/away');
      expect(asked).toHaveLength(tries + 1);
      await clock.advance(1);
    }
    answers.set('/away', bytes(await plain('green')));

    expect(await tile('/away')).toBeInstanceOf(Buffer);
  });

  it('previews are square JPEGs, turned upright', async () => {
    const tall = await sharp({ create: { width: 100, height: 300, channels: 3, background: '#c02020' } })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    answers.set('/tall', bytes(tall));
    const made = await sharp(await tile('/tall')).metadata();

    expect(made).toMatchObject({ format: 'jpeg', width: 320, height: 320 });
  });

  it('previews can be fetched before they are needed', async () => {
    previews.warm([entry('/red'), entry('/green'), entry(undefined)]);
    await eventually(() => done.converted === 2);
    await sheetOf('/red', '/green');

    expect(asked).toHaveLength(2);
  });

  it('after the end no preview is fetched, and one that was being fetched is given up', async () => {
    answers.set('/hanging', () => undefined);
    const hanging = tile('/hanging');
    await eventually(() => asked.length === 1);
    previews.close();

    expect(await hanging).toBeUndefined();
    expect(await tile('/red')).toBeUndefined();

    await eventually(() => clock.pending === 0);
  });
});
