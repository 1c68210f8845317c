import { startApp } from '../../../src/app.ts';
import { readConfig } from '../../../src/config/config.ts';
import { createLog } from '../../../src/log/log.ts';
import { patientClock } from '../../fakes/clock.ts';
import type { Program } from '../program.ts';

/** The whole program in this process, with checks of photos that may take longer than two seconds. */
export const startPatientProgram = async (env: Readonly<Record<string, string>>): Promise<Program> => {
  const settings = {
    CONSENT: 'off',
    IMAGE_LOOK_FLOOR_SECONDS: '0.05',
    SERVICE_CALLS_PER_SECOND: '1000',
    HTTP_PORT: '0',
    ...env,
  };
  const { ready, stop } = startApp(
    readConfig(settings),
    createLog({ level: 'silent', secrets: [] }),
    patientClock,
  );
  return {
    url: (await ready).url,
    pid: process.pid,
    ended: new Promise(() => undefined),
    output: () => '',
    deafen: () => undefined,
    kill: stop,
    async stop() {
      await stop();
      return 0;
    },
  };
};
