/** Telegram: groups have negative ids. Discord: servers. Both: a person's direct chat. */
const IDS = /^(?:discord:(?:dm:)?[1-9]\d{0,19}|telegram:(?:-|dm:)[1-9]\d{0,15})$/;

/** A community that can be approved, named as the owners' notice names it: `telegram:-100123`, `telegram:dm:42`. */
export function readCommunityId(typed: string): string | undefined {
  const id = typed.trim().toLowerCase();
  return IDS.test(id) ? id : undefined;
}

/** Visitors of the playground have its password, or are on the owner's machine. */
export function needsApproval(community: string): boolean {
  return !community.startsWith('web:');
}
