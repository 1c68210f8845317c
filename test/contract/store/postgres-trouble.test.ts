/** What /readyz says while the database cannot be written to: the whole way, over a real server that has this trouble. */
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { createAppReadiness } from '../../../src/app/monitoring/readiness.ts';
import { createLog } from '../../../src/log/log.ts';
import { openShared } from '../../../src/store/postgres/store.ts';
import { createProxy } from '../../e2e/faults/scale/proxy.ts';
import { eventually } from '../../eventually.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { idleOrchestrator } from '../../fakes/idle-orchestrator.ts';
import {
  type PostgresCluster,
  postgresPrograms,
  startPostgresCluster,
} from '../../fakes/postgres-cluster.ts';

const missing = postgresPrograms() === undefined;
if (missing && process.env.DEMAND_POSTGRES !== undefined) throw new Error('PostgreSQL is missing.');

/** The store over a network of its own, and what /readyz says of it. */
async function openStage(cluster: PostgresCluster) {
  await using opened = new AsyncDisposableStack();
  opened.defer(cluster.stop);
  const network = await createProxy(() => cluster.port);
  opened.defer(network.close);
  const clock = createFakeClock();
  const { store, members, close } = await openShared({
    url: `postgres://darkroom:correct-horse@127.0.0.1:${network.port}/postgres`,
    keys: [],
    now: Date.now,
    log: { info: () => undefined, warn: () => undefined },
    version: 'test',
    load: () => ({}),
  });
  opened.defer(close);
  const ready = createAppReadiness({
    store,
    members,
    client: { catalog: async () => [] },
    orchestrator: idleOrchestrator,
    credentials: ['key', 'token'],
    adapters: [],
    clock,
    log: createLog({ level: 'silent', secrets: [] }),
  });
  const says = async (): Promise<string> => {
    await clock.advance(5_000);
    const { checks } = await ready();
    expect(JSON.stringify(checks)).not.toMatch(/correct-horse|127\.0\.0\.1/);
    return checks.store?.reason ?? 'ok';
  };
  const parts = { store, network, clock, ready, says };
  const all = opened.move();
  return { ...parts, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

it.skipIf(missing)(
  'every trouble of a database is told in its own words; a full disk: test/e2e/faults',
  async () => {
    const cluster = await startPostgresCluster({ max_connections: 15, superuser_reserved_connections: 0 });
    await using stage = await openStage(cluster);
    const until = (words: RegExp) => eventually(async () => words.test(await stage.says()), String(words));

    await cluster.crash(true);
    await until(/^it is read-only: a standby.*STORE_URL must name the primary server/);
    await cluster.crash();
    await until(/^ok$/);

    stage.network.cut();
    const others: Client[] = [];
    await expect(
      (async () => {
        for (;;) {
          const other = new Client(cluster.url);
          other.on('error', () => undefined);
          await other.connect();
          others.push(other);
        }
      })(),
    ).rejects.toMatchObject({ code: '53300' });
    await until(/^it has no connection left\. Raise max_connections/);
    for (const other of others) await other.end();
    await until(/^ok$/);

    stage.network.halfOpen();
    await stage.clock.advance(5_000);
    const asked = stage.ready();
    await stage.clock.advance(5_000);
    expect((await asked).checks.store?.reason).toMatch(
      /^no answer within 3000 ms: is the database or the network/,
    );
    stage.network.heal();
    await until(/^ok$/);

    await stage.store.tryToReach();
    await stage.network.close();
    await expect(stage.store.tryToReach()).rejects.toThrow();
    await until(/^nothing listens there\. Is PostgreSQL running/);
  },
);
