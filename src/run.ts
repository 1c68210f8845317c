import { TokenRefused } from './adapters/adapter.ts';
import { banner } from './app/monitoring/banner.ts';
import { startApp } from './app.ts';
import { systemClock } from './base/clock.ts';
import { ConfigError, loadEnvFile, readConfig, secretsOf } from './config/config.ts';
import { AssumptionsError } from './generation-client/wire/assumptions.ts';
import { ListenError } from './http/server.ts';
import { createLog } from './log/log.ts';
import { StoreError } from './store/file/store-error.ts';

/** Containers are given ten seconds before they are killed. */
const longestStopMs = 9_500;
/** A terminal tells everybody in it, and npm then tells us again. */
const sameSignalMs = 500;

/** A setting that is wrong is no bug: one line says what to do, and no stack. */
const ownersToCure = [ConfigError, StoreError, AssumptionsError, ListenError, TokenRefused];

/** The program from its settings to its end: started with what the environment says, stopped by a signal. */
export const run = async (variables: NodeJS.ProcessEnv): Promise<void> => {
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

  const log = createLog({ level: config.logLevel, secrets: secretsOf(config) });
  for (const warning of warnings) log.warn(warning);

  // A bug in one place must not take everybody's jobs down; what is durable is taken up again in any case.
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'an unexpected error was survived'));
  // Nobody knows what state it left behind. Said by the log: Node itself would print it with the secrets in it.
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'an unexpected error ends Darkroom');
    process.exit(1);
  });

  const app = startApp(config, log, systemClock);
  let stopping: number | undefined;
  // Its window was closed. Elsewhere (nohup, a daemon) the signal keeps the meaning that whoever started us gave it.
  const hangUp = process.stdout.isTTY ? (['SIGHUP'] as const) : [];
  for (const signal of ['SIGINT', 'SIGTERM', ...hangUp] as const) {
    process.on(signal, () => {
      // A second signal means "now".
      if (stopping !== undefined && performance.now() - stopping > sameSignalMs) process.exit(1);
      if (stopping !== undefined) return;
      stopping = performance.now();
      log.info('stopping: finishing what is in hand');
      setTimeout(() => {
        log.warn('stopping took too long; whatever is unfinished is taken up again at the next start');
        process.exit(0);
      }, longestStopMs).unref();
      app.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'stopping failed');
          process.exit(1);
        },
      );
    });
  }

  // npm starts programs through a shell that passes no signal on: when it has gone, whoever wanted us has gone.
  const parent = process.ppid;
  if (variables.npm_lifecycle_event !== undefined) {
    const watch = setInterval(() => {
      if (process.ppid === parent) return;
      clearInterval(watch);
      process.kill(process.pid, 'SIGTERM');
    }, 500).unref();
  }

  try {
    const running = await app.ready;
    log.info({ url: running.url }, `Darkroom is ready at ${running.url}`);
    // In production the log is for machines; somebody who tries it, or sits at the terminal, gets the picture.
    if (process.stdout.isTTY || config.playground.on) process.stdout.write(`\n${banner(config, running)}\n`);
  } catch (error) {
    // Called off while it started: whoever is stopping it says how that went.
    if (stopping === undefined) {
      const reason = error instanceof Error ? error.message : String(error);
      if (ownersToCure.some((kind) => error instanceof kind)) console.error(reason);
      else log.fatal({ err: error }, `Darkroom could not start: ${reason}`);
      process.exit(1);
    }
  }
};
