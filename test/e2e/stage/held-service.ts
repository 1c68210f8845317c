import { randomUUID } from 'node:crypto';
import { outputOf } from '../../../src/kinds/kinds.ts';
import { kindRunBy, polledJob } from '../../fakes/service-calls.ts';
import { hangUp, listen } from '../../listen.ts';
import { picture, serving } from '../faults/kill/service.ts';

/**
 * A service whose jobs run until it is told to let them go; it cannot make videos. `areRunsHeld`: run calls are not answered
 * before `answerRuns`.
 */
export const createHeldService = async ({ result = picture, areRunsHeld = false } = {}) => {
  const outputs = new Map<string, ReturnType<typeof outputOf>>();
  const prompts: string[] = [];
  let isHeld = true;
  let answered = Promise.withResolvers<void>();
  const server = serving(async (method, path, { prompt }) => {
    const kind = kindRunBy(method, path);
    if (kind !== undefined) {
      prompts.push(String(prompt));
      if (areRunsHeld) await answered.promise;
      const id = randomUUID();
      outputs.set(id, outputOf(kind));
      return [200, { id, status: 'QUEUED' }];
    }
    const id = polledJob(path) ?? '';
    const output = outputs.get(id);
    if (output === undefined) return [404, {}];
    if (isHeld) return [200, { id, status: 'RUNNING', output: {} }];
    if (output === 'video') return [200, { id, status: 'FAILED' }];
    return [200, { id, status: 'COMPLETED', output: { images: [result] } }];
  });
  return {
    url: await listen(server),
    /** The prompts of the run calls that the service took. */
    prompts: prompts as readonly string[],
    answerRuns: (): void => answered.resolve(),
    letGo(): void {
      isHeld = false;
    },
    /** Makes the service as new; run calls that waited are answered. */
    reset(): void {
      answered.resolve();
      answered = Promise.withResolvers();
      isHeld = true;
      prompts.length = 0;
    },
    close: () => hangUp(server),
  };
};
