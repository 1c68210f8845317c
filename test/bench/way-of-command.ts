/**
 * Which files of the real program run while one command is answered, by V8's own coverage: `/faceswap` with a photo of one person, from the
 * event to the result, and `/alias repoint`, on Discord and on Telegram. Each command was used once before, and is then used several times: a
 * function counts if it ran each time. Files that also run each time while nothing happens are marked. Argument: `files` prints every file with its
 * functions, `page` writes docs/way-of-a-command.md.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Way, writeWayPage } from '../../scripts/way-page.ts';
import { alias, swapOf } from '../e2e/stage/lines.ts';
import { createStage } from '../e2e/stage/stage.ts';

const isWhole = process.argv[2] === 'files';
const portrait = readFileSync(new URL('../../src/generation-service/samples/portrait.jpg', import.meta.url));
const hook = new URL('./way-of-command/take-coverage.ts', import.meta.url);
const folder = mkdtempSync(join(tmpdir(), 'darkroom-way-'));

/** Timers, and work that comes late, make other parts run: of one use alone, the files of two measurements would differ. */
const USES = 3;

/** Work that a command leaves for later, such as the edit of another card, and work that was begun before it. */
const QUIET_MS = 2_500;
/** As long as the slowest command, so that the same timers come round. */
const IDLE_MS = 12_000;

interface Report {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

type Ran = ReadonlyMap<string, readonly string[]>;

const stage = await createStage({
  env: {
    FACE_CHECK: 'on',
    NODE_V8_COVERAGE: folder,
    NODE_OPTIONS: `--import=${hook}`,
    // Functions of compiled code are not counted.
    NODE_COMPILE_CACHE: '',
  },
});

const { pid } = stage.program();

const reports = (): readonly string[] =>
  readdirSync(folder).filter((file) => file.startsWith(`coverage-${pid}-`));

/** The functions that ran since the last time, by file. */
const takeRan = async (): Promise<Ran> => {
  const before = new Set(reports());
  process.kill(pid, 'SIGUSR2');
  let written: string | undefined;
  while (written === undefined) {
    await pause(50);
    written = reports().find((file) => !before.has(file));
  }
  // The file is seen before it is written to its end.
  await pause(500);
  const { result }: Report = JSON.parse(readFileSync(join(folder, written), 'utf8'));
  const ran = new Map<string, readonly string[]>();
  for (const { url, functions } of result) {
    const file = /\/(?:src|commands)\/[^?]*$/.exec(url)?.[0].slice(1);
    const names = functions
      .filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0)
      .map(({ functionName }) => functionName || '(anonymous)');
    if (file !== undefined && !url.includes('node_modules') && names.length > 0) ran.set(file, names);
  }
  return ran;
};

const ranDuring = async (work: () => Promise<unknown>): Promise<Ran> => {
  await pause(QUIET_MS);
  await takeRan();
  await work();
  await pause(500);
  return takeRan();
};

/** The functions that ran each time. */
const ranEachTime = async (work: (use: number) => Promise<unknown>): Promise<Ran> => {
  let common = await ranDuring(() => work(1));
  for (let use = 2; use <= USES; use += 1) {
    const ran = await ranDuring(() => work(use));
    common = new Map(
      [...common].map(([file, names]) => [file, names.filter((name) => ran.get(file)?.includes(name))]),
    );
  }
  return new Map([...common].filter(([, names]) => names.length > 0));
};

const ways: Way[] = [];

const tell = (what: string, ran: Ran, idle: Ran): void => {
  const own = [...ran.keys()].filter((file) => !idle.has(file));
  ways.push({ title: what, files: own.toSorted() });
  const functions = [...ran.values()].flat().length;
  console.log(
    `${what.padEnd(26)} ${ran.size} files, ${functions} functions; ${own.length} files that do not run otherwise`,
  );
  if (!isWhole) return;
  for (const [file, names] of [...ran].sort())
    console.log(`  ${idle.has(file) ? '·' : ' '} ${file}: ${names.join(', ')}`);
};

try {
  const [first, second] = await stage.customFilters('face_swap');
  if (first === undefined || second === undefined) throw new Error('the service has too few custom filters');
  const swap = { ...swapOf('3'), photos: { photo: portrait } };
  const platforms = ['discord', 'telegram'] as const;
  const people = platforms.map((name) => {
    const room = stage.platforms[name].room();
    const mod = room.person('Mod');
    mod.moderates(true);
    const repoint = (to: string) => mod.types(alias('repoint', { name: 'halloween', filter: to })).says(to);
    return { name, ann: room.person('Ann'), mod, repoint };
  });
  for (const { ann, mod, repoint } of people) {
    await ann.types(swap).result();
    await mod.types(alias('create', { name: 'halloween', filter: first.label })).says('halloween');
    await repoint(second.label);
  }

  const idle = await ranEachTime(() => pause(IDLE_MS));
  for (const { name, ann, repoint } of people) {
    tell(`${name} /faceswap`, await ranEachTime(() => ann.types(swap).result()), idle);
    const ran = await ranEachTime((use) => repoint((use % 2 === 1 ? first : second).label));
    tell(`${name} /alias repoint`, ran, idle);
  }
  if (process.argv[2] === 'page') writeWayPage(ways, new Date().toISOString().slice(0, 10));
} finally {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
}
