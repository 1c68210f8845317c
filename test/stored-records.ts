/**
 * What is stored, by table, by namespace of records, and by the beginning of an adapter's keys: the row of docs/privacy.md that tells
 * of it. A record that is added is named here, and stands there if it is about people or what they made.
 */

const NOBODY = 'nothing about people';

const RESULTS = "the playground's chat";
const MESSAGES = 'a message from Telegram that is not handled yet';
const CREDITS = 'how many credits were used';
const JOBS = 'the job';

export const storedRecords: Readonly<Record<'tables' | 'namespaces' | 'keys', Record<string, string>>> = {
  tables: {
    meta: NOBODY,
    jobs: JOBS,
    slots: JOBS,
    usage: CREDITS,
    totals: CREDITS,
    tallies: 'how many jobs a community made',
    charges: 'the cost of a deleted job',
    grants: 'credits that a community granted a person',
    figures: 'how the program is doing',
    acceptances: "when a person's jobs of the last minutes were accepted",
    audit: 'an audit line for each job',
    entries: NOBODY,
    removed: "a hash of the service's id of a job that was removed",
    erasures: 'that a person asked for the deletion of their data',
    inbox: MESSAGES,
    inbox_lanes: MESSAGES,
    damaged: 'a record that could not be read',
  },
  namespaces: {
    settings: 'who is blocked in a community',
    aliases: 'which aliases a person made',
    campaigns: 'a scheduled campaign of an alias',
    approvals: 'that a community or direct chat is approved',
    consent: 'that a person confirmed the consent question',
    reports: 'a report that moderators decide about',
    'approval-notices': "a community or direct chat that waits for the owner's approval",
    catalogs: NOBODY,
    left: 'when the bot was taken from a community',
    faces: 'a face that a person saves',
    'blocked-photos': 'a photo that is on the block list',
    removals: 'that a result was removed',
    'open-removals': 'that a result was removed',
    'removal-counts': NOBODY,
    'sent-files': 'that a person was just sent the file of a result',
    'result-messages': 'which messages show a result beside the card',
    'message-deletions': 'which messages with a result are still to be deleted',
    'removal-requests': 'a request for removal',
    durations: NOBODY,
    ceilings: NOBODY,
    drafts: 'a command that waits for an answer',
  },
  keys: {
    'telegram:handled:': MESSAGES,
    'telegram:asked-elsewhere:': 'that a question from a group is answered in private',
    'telegram:questions:': 'where a message with a question is',
    'telegram:relocated:': NOBODY,
    'telegram:migrated:': NOBODY,
    'telegram:name:': 'names of people who recently used the bot',
    'telegram:named:': 'names of people who recently used the bot',
    'telegram:album:': 'a command that waits for an answer',
    'telegram:new-app:': "that a person's Telegram app shows messages",
    'telegram:no-ephemerals:': NOBODY,
    'telegram:working:': 'where a message says that an answer takes longer',
    'telegram:welcomed:': NOBODY,
    'telegram:menu:': NOBODY,
    'web:cookie-secret': NOBODY,
    'web:device-secret': NOBODY,
    'web:preview-secret': NOBODY,
    'web:session': 'which playground person a browser is',
    'web:erasures': RESULTS,
    'web:media': RESULTS,
    'web:room:': RESULTS,
    'web:message:': RESULTS,
    'form:': 'a command that waits for an answer, and the form',
    'session:': NOBODY,
    shards: NOBODY,
    'commands:': NOBODY,
  },
};

/** The rows of the table in docs/privacy.md that these records need. */
export const privacyRows = (): readonly string[] =>
  [...new Set(Object.values(storedRecords).flatMap((rows) => Object.values(rows)))].filter(
    (row) => row !== NOBODY,
  );

/** Throws if nobody has decided whether docs/privacy.md tells of this record of an adapter. */
export const refuseUntold = (key: string): void => {
  if (!Object.keys(storedRecords.keys).some((start) => key.startsWith(start)))
    throw new Error(
      `the record ${key} is not named in test/stored-records.ts, nor told of in docs/privacy.md`,
    );
};
