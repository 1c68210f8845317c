import type { PlatformProfile } from '../profile.ts';

/** The playground. */
export const web = {
  title: 'Playground',
  ids: { speaker: /[a-z].*/s, owner: undefined, community: /[a-z]{1,20}/, directChat: /[a-z]{1,20}/ },
  threadsAre: 'channels',
  hasRoles: false,
  restore: { drops: [] },
  connection: undefined,
} as const satisfies PlatformProfile;
