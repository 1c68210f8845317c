const NUMBER = /^\d{1,20}$/;

/** The ids in a link to a message, from the chat to the message. */
const idsIn = (link: string): readonly string[] =>
  URL.canParse(link) ? new URL(link).pathname.split('/').filter((step) => NUMBER.test(step)) : [];

export const isMessageLink = (text: string): boolean => idsIn(text).length > 0;

/**
 * Whether a link that a person copied leads to the message that we link to as `known`. Hosts differ between apps, a topic stands in
 * some links only, and that of a public chat has a name in place of the chat's id: then any chat fits. An adapter puts the id there first,
 * where its platform tells it (`readLink`).
 */
export function leadsToMessage(copied: string, known: string): boolean {
  const asked = idsIn(copied);
  const own = idsIn(known);
  if (asked.length === 0 || asked.at(-1) !== own.at(-1)) return false;
  return asked.length === 1 || asked[0] === own[0];
}

/**
 * The communities that the link may name: a server of Discord, or a group of Telegram, in whose links its id has lost what it begins with.
 * None: it names no chat.
 */
export const communitiesIn = (link: string): readonly string[] => {
  const [chat] = saysWhichChat(link) ? idsIn(link) : [];
  return chat === undefined ? [] : [`discord:${chat}`, `telegram:-100${chat}`];
};

/** Whether the link says which chat it is in. */
export const saysWhichChat = (link: string): boolean => idsIn(link).length > 1;
