// @module-tag slow
/**
 * What /readyz says while the database cannot be written to: the whole way, over a real server that has this trouble. A full
 * disk: test/e2e/faults/store-file.test.ts.
 */
import { expect, it } from 'vitest';
import { createAppReadiness } from '../../../src/app/monitoring/readiness.ts';
import { createLog } from '../../../src/log/log.ts';
import { createProxy } from '../../e2e/faults/scale/proxy.ts';
import { eventually } from '../../eventually.ts';
import { createFakeClock } from '../../fakes/clock.ts';
import { idleOrchestrator } from '../../fakes/idle-orchestrator.ts';
import { openStoreAt } from '../../fakes/open-store-at.ts';
import { refusingServer, startPostgresCluster } from '../../fakes/postgres-cluster.ts';

it('troubles of a database are told in their own words', { tags: ['postgres-programs'] }, async () => {
  await using opened = new AsyncDisposableStack();
  const cluster = await startPostgresCluster();

  opened.defer(cluster.stop);
  let { port } = cluster;
  const network = await createProxy(() => port);
  opened.defer(network.close);
  const clock = createFakeClock();
  const url = `postgres://darkroom:correct-horse@127.0.0.1:${network.port}/postgres`;
  const { store, members, close } = await openStoreAt(url);
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
  const until = (words: RegExp) => eventually(async () => words.test(await says()), String(words));

  await cluster.crash(true);
  await until(/^it is read-only: a standby.*STORE_URL must name the primary server/);
  await cluster.crash();
  await until(/^ok$/);

  const full = await refusingServer('53300', 'sorry, too many clients already');
  opened.defer(full.close);
  port = full.port;
  network.cut();
  await until(/^it has no connection left\. Raise max_connections/);
  ({ port } = cluster);
  await until(/^ok$/);

  network.halfOpen();
  await clock.advance(5_000);
  const asked = ready();
  await clock.advance(5_000);

  expect((await asked).checks.store?.reason).toMatch(
    /^no answer within 3000 ms: is the database or the network/,
  );

  network.heal();
  await until(/^ok$/);

  await store.tryToReach();
  await network.close();

  await expect(store.tryToReach()).rejects.toThrow();

  await until(/^nothing listens there\. Is PostgreSQL running/);
});
