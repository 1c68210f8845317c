import { readStoreConfig } from '../../config/config.ts';
import { UncertainError } from '../../store/records/store-error.ts';
import { fileArgument, runTool } from '../command-line.ts';
import { type Restored, restoreStore } from './restore-store.ts';

/**
 * `npm run restore -- FILE` replaces the store of STORE_URL by a backup. Exit code 2: nothing was changed; 1: see the
 * message.
 */

function report({ note, uncertain, followed }: Restored): readonly string[] {
  const counted = (count: number, words: string): readonly string[] => (count === 0 ? [] : [words]);
  return [
    `Restored: the store is as it was at ${note.at} (Darkroom ${note.version}).`,
    ...counted(
      uncertain,
      `Jobs that waited or were being sent then: ${uncertain}. They may have been submitted since, so they are not submitted again: their cards will say that it is not certain.`,
    ),
    ...counted(
      followed,
      `Jobs that were running then: ${followed}. Their results are shown when Darkroom runs again, as far as the service still has them.`,
    ),
    'What people have deleted since then is back, and what was changed since is lost: blocks, settings, names of aliases, credits. Tell them, so that they can delete it again (/privacy).',
    'Where an alias points is kept by the service and was not undone. If aliases were changed since, moderators look through /alias list: one that was repointed has its newer filter, one that was deleted is back without a filter, one that was made is listed as unnamed-…. They repoint or delete it.',
  ];
}

const file = fileArgument('Usage: npm run restore -- FILE');
async function restore(
  { url, keys }: ReturnType<typeof readStoreConfig>,
  progress: (line: string) => void,
): Promise<void> {
  try {
    for (const line of report(await restoreStore({ file, url, keys, progress }))) console.log(line);
  } catch (error) {
    if (!(error instanceof UncertainError)) throw error;
    console.error(error.message);
    process.exit(1);
  }
}
await runTool(process.env, readStoreConfig, restore, { afterwards: '\nNothing was changed.' });
