/** Telegram: groups have negative ids. Discord: servers. The playground: rooms. All: a person's direct chat. */
const IDS = /^(?:discord:(?:dm:)?[1-9]\d{0,19}|telegram:(?:-|dm:)[1-9]\d{0,15}|web:(?:dm:)?[a-z]{1,20})$/;

/** A community that can be approved, named as the owners' notice names it: `telegram:-100123`, `telegram:dm:42`. */
export function readCommunityId(typed: string): string | undefined {
  const id = typed.trim().toLowerCase();
  return IDS.test(id) ? id : undefined;
}
