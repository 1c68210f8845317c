import { setTimeout as pause } from 'node:timers/promises';
import { TokenRefused } from './adapters/adapter.ts';
import { banner } from './app/monitoring/banner.ts';
import { startApp } from './app.ts';
import { systemClock } from './base/clock.ts';
import { stopWithNpm } from './base/stop-with-npm.ts';
import { ConfigError, loadEnvFile, readConfig } from './config/config.ts';
import { AssumptionsError } from './generation-client/wire/assumptions.ts';
import { ListenError } from './http/server.ts';
import { createLog } from './log/log.ts';
import { StoreError, StoreRequestedError } from './store/records/store-error.ts';
import { isDatabaseAway, isRequested } from './store/store.ts';

/** Containers are given ten seconds before they are killed. */
const longestStopMs = 9_500;
/** A terminal signals every process in it, and npm then forwards the same signal. */
const sameSignalMs = 500;
/** How often a process that has left the store asks whether the restore has ended. */
const requestMs = 500;
/** Set for the start after a restore, which happens unattended. */
const againVariable = 'DARKROOM_STARTS_AGAIN';

/** Errors that the owner can fix: printed as one line, without a stack. */
const ownerErrors = [ConfigError, StoreError, AssumptionsError, ListenError, TokenRefused];

/** Runs the program: reads the settings, starts the app, stops on a signal. */
export async function run(variables: NodeJS.ProcessEnv): Promise<void> {
  const { config, warnings } = (() => {
    try {
      const { env, warnings } = loadEnvFile('.env', variables);
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
  let leaving = false;
  let opening = true;
  let closing: Promise<void> | undefined;
  const stopped = (): never => process.exit(0);

  /** Closes everything, within the time that a container is given. */
  const closeOnce = async (): Promise<void> => {
    const tooLong = setTimeout(() => {
      log.warn('stopping took too long; unfinished work continues at the next start');
      (stopping === undefined ? startAgain : stopped)();
    }, longestStopMs).unref();
    await app.stop();
    clearTimeout(tooLong);
  };
  const close = (): Promise<void> => (closing ??= closeOnce());
  /** In this process, so that it goes on however it was started. Nothing that was in memory is left. */
  const startAgain = (): never => {
    const program = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
    if (process.execve !== undefined && process.platform !== 'win32')
      process.execve(process.execPath, program, { ...variables, [againVariable]: '1' });
    log.fatal('Darkroom cannot start itself again on this system: start it');
    return process.exit(1);
  };
  /** Until no restore asks for the store. A database that is away meanwhile is waited for. */
  const untilFree = async (): Promise<void> => {
    while (await isRequested(config.store.url).catch(() => true)) await pause(requestMs);
  };
  /** A restore asks for the store: leaves it, and starts again when it has ended. */
  const leave = async (): Promise<void> => {
    if (leaving || stopping !== undefined) return;
    leaving = true;
    log.info('a backup is being restored: Darkroom stops its work, and starts again by itself afterwards');
    // A part that is just being opened is not closed: the next start waits then.
    const isWhole = !opening;
    await close().catch((error: unknown) => log.error({ err: error }, 'stopping failed'));
    log.partsClosed();
    if (isWhole) await untilFree();
    if (stopping !== undefined) return;
    if (isWhole) log.info('the restore has ended: Darkroom starts again');
    startAgain();
  };

  const app = startApp(config, log, systemClock, () => void leave());
  // The terminal window was closed. Under nohup or a daemon, SIGHUP keeps its configured meaning.
  const hangUp = process.stdout.isTTY ? (['SIGHUP'] as const) : [];
  for (const signal of ['SIGINT', 'SIGTERM', ...hangUp] as const) {
    process.on(signal, () => {
      // A second signal means "now".
      if (stopping !== undefined && performance.now() - stopping > sameSignalMs) process.exit(1);
      if (stopping !== undefined) return;
      stopping = performance.now();
      log.info('stopping: finishing current work');
      close().then(stopped, (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(1);
      });
    });
  }

  stopWithNpm(variables);

  try {
    const running = await app.ready.finally(() => (opening = false));
    log.info({ url: running.url, pid: process.pid }, `Darkroom is ready at ${running.url}`);
    // In production the log is read by machines; in a terminal or with the playground, print the banner.
    if (process.stdout.isTTY || config.playground.on) process.stdout.write(`\n${banner(config, running)}\n`);
  } catch (error) {
    if (error instanceof StoreRequestedError) return leave();
    // Stopped during the start: the signal handler reports the result.
    if (stopping === undefined && !leaving) {
      if (variables[againVariable] === '1' && isDatabaseAway(error)) {
        log.warn({ err: error }, 'the database is away after a restore: Darkroom starts when it is back');
        await untilFree();
        if (stopping === undefined) startAgain();
        return;
      }
      const reason = error instanceof Error ? error.message : String(error);
      if (ownerErrors.some((kind) => error instanceof kind)) console.error(reason);
      else log.fatal({ err: error }, `Darkroom could not start: ${reason}`);
      process.exit(1);
    }
  }
}
