import { TokenRefused } from './adapters/adapter.ts';
import { banner } from './app/monitoring/banner.ts';
import { startApp } from './app.ts';
import { systemClock } from './base/clock.ts';
import { stopWithNpm } from './base/stop-with-npm.ts';
import { ConfigError, mergeEnvFile, readConfig } from './config/config.ts';
import { AssumptionsError } from './generation-client/wire/assumptions.ts';
import { ListenError } from './http/server.ts';
import { createLog } from './log/log.ts';
import { StoreError } from './store/records/store-error.ts';

/** Containers are given ten seconds before they are killed. */
const longestStopMs = 9_500;
/** A terminal signals every process in it, and npm then forwards the same signal. */
const sameSignalMs = 500;

/** Errors that the owner can fix: printed as one line, without a stack. */
const ownerErrors = [ConfigError, StoreError, AssumptionsError, ListenError, TokenRefused];

/** Runs the program: reads the settings, starts the app, stops on a signal. */
export async function run(variables: NodeJS.ProcessEnv): Promise<void> {
  const { config, warnings } = (() => {
    try {
      const { env, warnings } = mergeEnvFile('.env', variables);
      const config = readConfig(env);
      return { config, warnings: [...warnings, ...config.warnings] };
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      console.error(error.message);
      return process.exit(1);
    }
  })();

  const log = createLog({ level: config.logLevel, secrets: config.secrets });
  // SIGUSR1 opens Node's debugger.
  process.on('SIGUSR2', log.switchDebug);
  for (const warning of warnings) log.warn(warning);

  // A bug in one place must not stop everybody's jobs; durable work continues in any case.
  process.on('unhandledRejection', (error) =>
    log.error({ err: error }, 'unexpected error; Darkroom keeps running'),
  );
  // The state is unknown, so stop. Logged here because Node would print it with secrets in it.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'unexpected error; Darkroom stops');
    process.exit(1);
  });

  let stopping: number | undefined;

  /** Closes everything, within the time that a container is given. */
  const close = async (): Promise<void> => {
    const tooLong = setTimeout(() => {
      log.warn('stopping took too long; unfinished work continues at the next start');
      process.exit(0);
    }, longestStopMs).unref();
    await app.stop();
    clearTimeout(tooLong);
  };
  /** Everything in memory belongs to the store before the restore and must not be written into the new one, so nothing is closed. */
  const replaced = (): never => {
    log.fatal(
      'a backup was restored to the store (STORE_URL) while this process was cut off from it: Darkroom stops. Start it again.',
    );
    return process.exit(1);
  };

  const app = startApp(config, log, systemClock, replaced);
  // The terminal window was closed. Under nohup or a daemon, SIGHUP keeps its configured meaning.
  const hangUp = process.stdout.isTTY ? (['SIGHUP'] as const) : [];
  for (const signal of ['SIGINT', 'SIGTERM', ...hangUp] as const) {
    process.on(signal, () => {
      // A second signal means "now".
      if (stopping !== undefined && performance.now() - stopping > sameSignalMs) process.exit(1);
      if (stopping !== undefined) return;
      stopping = performance.now();
      log.info('stopping: finishing current work');
      close().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'stopping failed');
          process.exit(1);
        },
      );
    });
  }

  stopWithNpm(variables);

  try {
    const running = await app.ready;
    log.info({ url: running.url, pid: process.pid }, `Darkroom is ready at ${running.url}`);
    // In production the log is read by machines; in a terminal or with the playground, print the banner.
    if (process.stdout.isTTY || config.playground.on) process.stdout.write(`\n${banner(config, running)}\n`);
  } catch (error) {
    // Stopped during the start: the signal handler reports the result.
    if (stopping === undefined) {
      const reason = error instanceof Error ? error.message : String(error);
      if (ownerErrors.some((kind) => error instanceof kind)) console.error(reason);
      else log.fatal({ err: error }, `Darkroom could not start: ${reason}`);
      process.exit(1);
    }
  }
}
