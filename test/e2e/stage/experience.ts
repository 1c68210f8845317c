import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { jobKinds, outputOf } from '../../../src/orchestrator/job/job-kinds.ts';
import { emptyModel } from '../../../src/orchestrator/schedule/durations.ts';
import { openStore } from '../../../src/store/sqlite/store.ts';

/** A store in which the program believes that the service is quick, so that it looks for results early. */
export const teachQuickness = async (folder: string, key?: string): Promise<void> => {
  const data = join(folder, 'data');
  mkdirSync(data);
  const store = openStore({
    path: join(data, 'darkroom.sqlite'),
    keys: key === undefined ? [] : [Buffer.from(key, 'base64')],
  });
  const models = store.keyv('durations');
  for (const kind of jobKinds)
    await models.set(kind, emptyModel(kind, outputOf(kind), { medianMs: 100, sigma: 0.5 }));
  store.close();
};
