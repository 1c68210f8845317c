import type { Finding } from '../../adapters/connection.ts';
import { connectionOf } from '../../adapters/connections.ts';
import { systemClock } from '../../base/clock.ts';
import { defined } from '../../base/defined.ts';
import { type Config, hasActivePlatform } from '../../config/config.ts';
import { factsOf, PLATFORMS } from '../../platforms/platforms.ts';
import { isBackupLate } from '../../store/store.ts';
import { checkService } from './service-check.ts';
import { checkStore, findLastBackup } from './store-check.ts';

/** The result of one check of the doctor, as `--json` shows it. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly found: string;
  /** Why the check failed: a constant word or an error code, for programs. */
  readonly reason?: string;
  /** Tells how to fix the problem. */
  readonly cure?: string;
}

/** Runs all checks of an installation: store, generation service, the platforms that are on, owners and spending. */
export async function* examine(config: Config): AsyncGenerator<Check> {
  yield* (await checkStore(config)).map(checkOf);
  yield* (await checkService(config)).map(checkOf);
  for (const platform of PLATFORMS) {
    const connection = connectionOf(platform);
    if (connection === undefined) continue;
    const settings = config.platforms[platform];
    const [token] = Object.keys(connection.settings);
    if (settings !== undefined) yield* (await connection.check(settings, systemClock)).map(checkOf);
    else yield { name: factsOf(platform).title, status: 'skipped', found: `off (${token} is not set)` };
  }
  yield* checkBackup(config);
  yield* checkOwners(config);
  yield* checkSpending(config);
}

/** Warns if a store that people use was not backed up for a week. */
async function* checkBackup(config: Config): AsyncGenerator<Check> {
  const backup = await findLastBackup(config.store);
  if (backup === undefined || (backup.at === undefined && !hasActivePlatform(config))) return;
  const name = 'Backup';
  const { at } = backup;
  const found =
    at === undefined
      ? 'none is known of this store'
      : `the last one was made at ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  if (!isBackupLate(at, systemClock.now())) {
    yield { name, status: 'ok', found };
    return;
  }
  const cure =
    'Run npm run backup -- FILE each night, also while Darkroom runs, and keep the file on another machine: docs/operating.md has a timer.';
  yield { name, status: 'warning', found, cure };
}

/** Warns if no owner can be reached, where a platform is connected; the playground needs none. */
function* checkOwners({ owners, platforms }: Config): Generator<Check> {
  const connected = PLATFORMS.filter((platform) => platforms[platform] !== undefined);
  if (connected.length === 0) return;
  const name = 'Owners';
  const reachable = owners.filter(({ platform }) => connected.includes(platform));
  if (reachable.length > 0) {
    const people = reachable.length === 1 ? '1 person gets' : `${reachable.length} people get`;
    yield { name, status: 'ok', found: `${people} the messages to owners` };
    return;
  }

  const titles = connected.map((platform) => factsOf(platform).title).join(' or ');
  const found =
    owners.length === 0
      ? 'OWNERS is not set: the bot has nobody to write to when something is wrong (the service refuses the key, a limit is reached, somebody reports a result), and nobody may decide for all communities'
      : `OWNERS has nobody on ${titles}: the bot has nobody to write to when something is wrong`;
  const ways = connected.map(
    (platform) =>
      `OWNERS=${platform}:ID with your own id (${connectionOf(platform)?.ownIdFrom ?? 'as the platform shows it'})`,
  );
  yield { name, status: 'warning', found, cure: `Set ${ways.join(', or ')}.` };
}

/** Warns if nothing limits what everybody together can spend at a service that costs the owner something. */
function* checkSpending({ generation, ceilings, user, communities }: Config): Generator<Check> {
  if (generation.url === undefined) return;
  const name = 'Spending';
  const limits: string[] = [];
  if (ceilings.service !== undefined)
    limits.push(`${ceilings.service} credits a day (SERVICE_DAILY_CREDITS)`);
  if (ceilings.month !== undefined)
    limits.push(`${ceilings.month} credits a month (SERVICE_MONTHLY_CREDITS)`);
  if (limits.length > 0) {
    yield { name, status: 'ok', found: `everybody together can use ${limits.join(' and ')}` };
    return;
  }
  const who =
    communities === 'open'
      ? 'and everybody who finds the bot can add it (COMMUNITIES=open)'
      : 'in each community that was approved';
  yield {
    name,
    status: 'warning',
    found: `Neither SERVICE_DAILY_CREDITS nor SERVICE_MONTHLY_CREDITS is set: nothing limits what everybody together can use. One person can use ${user.dailyCredits} credits a day (USER_DAILY_CREDITS), ${who}`,
    cure: 'Set SERVICE_DAILY_CREDITS to the credits that you can afford a day (a picture costs 2 or 3). Jobs beyond it are refused until midnight UTC, and owners are told at 80 %.',
  };
}

function checkOf({ name, ok, detail, reason, cure }: Finding): Check {
  if (ok) return { name, status: 'ok', found: detail };
  return { name, status: 'failed', found: detail, ...defined({ reason, cure }) };
}
