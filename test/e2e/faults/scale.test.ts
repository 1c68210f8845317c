// @module-tag slow
// @module-tag longest
/** Four whole programs on one PostgreSQL, while processes, the database and the network fail. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { databaseAddressOf } from '../../../src/store/postgres/database/address.ts';
import { openDatabase } from '../../../src/store/postgres/database/database.ts';
import { openPostgresStore } from '../../../src/store/postgres/store.ts';
import { eventually, patienceMs } from '../../eventually.ts';
import { createFakeTelegram } from '../../fakes/telegram/telegram.ts';
import { freePort } from '../../free-port.ts';
import { createDataFolder, settingsFor } from '../program.ts';
import { teachQuickness } from '../stage/experience.ts';
import { type Asked, cancelOne, checkAll, endsOn, isTurnedAway, sendSome } from './kill/asked.ts';
import { createChance, tell } from './kill/chance.ts';
import { createKillService } from './kill/service.ts';
import { createBalancer } from './scale/balancer.ts';
import { startPrograms } from './scale/programs.ts';
import { createProxy } from './scale/proxy.ts';
import { startWithStandby } from './scale/with-standby.ts';

/** More for a longer night: SCALE_ROUNDS=1000 npx vitest run --project slow test/e2e/faults/scale.test.ts */
const rounds = Number(process.env.SCALE_ROUNDS ?? 12);
const jobsPerRound = Number(process.env.SCALE_JOBS ?? 10);
const PROGRAMS = 4;
/** Frozen or cut off for so long, a process has been taken over when it wakes up. */
const LONG_MS = 12_000;
const PATIENCE_MS = 2 * patienceMs;

it.each(['polling', 'webhooks'] as const)(
  'four programs on one database, by %s: one end per card, nothing submitted twice, credits correct',
  { tags: ['postgres-programs'], timeout: 3_600_000 },
  async (way) => {
    const chance = createChance(`scale ${way}`);
    // Whatever becomes of the test, nothing is left running.
    await using opened = new AsyncDisposableStack();
    const folder = createDataFolder();

    opened.defer(() => folder.remove());
    const database = await startWithStandby();
    opened.defer(database.stop);
    const network = await createProxy(database.port);
    opened.defer(network.close);
    const url = `postgres://darkroom@127.0.0.1:${network.port}/postgres`;
    const service = await createKillService(chance, () => undefined);
    opened.defer(service.close);
    const telegram = await createFakeTelegram({ flood: 'off' });
    opened.defer(telegram.stop);
    await teachQuickness(url);
    const store = await openPostgresStore(openDatabase(databaseAddressOf(url)), {
      keys: [],
      memberId: () => 'nobody',
    });
    opened.defer(store.close);
    const env = {
      STORE_URL: url,
      ...settingsFor(service, telegram),
      CONSENT: 'off',
      IMAGE_LOOK_FLOOR_SECONDS: '0.05',
      SERVICE_CALLS_PER_SECOND: '1000',
    };
    const ports = await Promise.all(Array.from({ length: PROGRAMS }, () => freePort()));
    const balancer = await createBalancer(ports, chance);
    opened.defer(balancer.close);
    const webhook = {
      TELEGRAM_WEBHOOK_URL: `${balancer.url}/telegram`,
      TELEGRAM_WEBHOOK_SECRET: 'a-secret-of-the-webhook',
    };
    const programs = startPrograms(ports, folder.path, way === 'webhooks' ? { ...env, ...webhook } : env);
    opened.defer(programs.stop);
    await programs.ready();

    const all: Asked[] = [];
    const counts: Record<string, number> = {};
    const anyone = (): number => Math.floor(chance.between(0, PROGRAMS));
    const healed = async (ms: number): Promise<void> => {
      await pause(ms);
      network.heal();
    };
    const troubles: Readonly<Record<string, () => Promise<void>>> = {
      kills: () => programs.kill(anyone()),
      'short freezes': async () => freezeFor(anyone(), chance.between(100, 2_000)),
      'long freezes': async () => freezeFor(anyone(), LONG_MS),
      'rolling restarts': async () => {
        for (let index = 0; index < PROGRAMS; index += 1) await programs.restart(index);
      },
      'database crashes': database.crash,
      failovers: database.failOver,
      'cut connections': async () => network.cut(),
      delays: async () => {
        network.delay(chance.between(50, 1_500));
        await healed(2_000);
      },
      'silent networks': async () => {
        network.halfOpen();
        await healed(chance.between(500, LONG_MS));
      },
    };
    const freezeFor = async (index: number, ms: number): Promise<void> => {
      programs.freeze(index);
      await pause(ms);
      programs.thaw(index);
    };
    // Kills are what there is most of; the others take long.
    const likely = [...Array.from({ length: 14 }, () => 'kills'), ...Object.keys(troubles)];

    for (let round = 0; round < rounds; round += 1) {
      for (let sent = 0; sent < jobsPerRound; sent += 3) sendSome(telegram, chance, all);
      await pause(chance.between(0, 600));
      const isHalf = round === Math.floor(rounds / 2);
      const trouble = isHalf ? 'failovers' : chance.pick(likely as [string, ...string[]]);
      counts[trouble] = (counts[trouble] ?? 0) + 1;
      await troubles[trouble]?.();
      cancelOne(telegram, chance, all);
    }
    network.heal();
    const isEnded = async (asked: Asked): Promise<boolean> => {
      if (endsOn(telegram, asked).length === 0 && !isTurnedAway(telegram, asked)) return false;
      // Whoever drew it may have died before that was written down.
      const own = await store.jobs.ofPerson(`telegram:${asked.person.user.id}`, 2);
      return own.every(({ settled }) => settled);
    };
    for (const asked of all)
      await eventually(
        () => isEnded(asked),
        `an end for ${asked.prompt}`,
        () => `\n${programs.errors().slice(-20).join('')}`,
        PATIENCE_MS,
      );
    await programs.stop();
    tell({ ...counts, ...(await checkAll(store, telegram, service, all)) });

    expect(telegram.complaints).toEqual([]);
  },
);
