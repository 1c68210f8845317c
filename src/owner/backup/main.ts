import { version } from '../../base/version.ts';
import { readStoreConfig } from '../../config/config.ts';
import { fileArgument, runTool } from '../command-line.ts';
import { backUp } from './back-up.ts';

/**
 * `npm run backup -- FILE` backs up the store of STORE_URL into one file, also while Darkroom runs. Exit code 2: there is no
 * backup.
 */

/** Tells the owner whether the backup is encrypted. A store becomes so at the first start with a key. */
function aboutEncryption(isEncrypted: boolean, hasKey: boolean): string {
  if (isEncrypted)
    return 'It is encrypted with STORE_KEY. Keep the key, in another place: without it the backup is lost.';
  const why = hasKey ? 'Darkroom has not been started with STORE_KEY yet' : 'STORE_KEY is not set';
  return `It is not encrypted, because ${why}: whoever reads it, reads everything.`;
}

const file = fileArgument('Usage: npm run backup -- FILE');
await runTool(process.env, readStoreConfig, async ({ url, keys }, progress) => {
  const { at, tables, isEncrypted } = await backUp({ url, file, version, progress });
  const jobs = tables.jobs?.records ?? 0;
  console.log(`${file}: the store as it was at ${at}, ${jobs} ${jobs === 1 ? 'job' : 'jobs'}, checked.`);
  console.log(aboutEncryption(isEncrypted, keys.length > 0));
});
