import { PermissionFlagsBits } from 'discord.js';

/** The bot shows and edits cards with pictures, also in threads. */
const permissions =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.SendMessagesInThreads |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.ReadMessageHistory;

export function inviteLink(applicationId: string): string {
  return `https://discord.com/oauth2/authorize?client_id=${applicationId}&scope=bot+applications.commands&permissions=${permissions}`;
}

/** A bot's token begins with the id of its application, in base64. */
export function applicationOf(token: string): string | undefined {
  const id = Buffer.from(token.split('.', 1)[0] ?? '', 'base64').toString('latin1');
  return /^\d{15,20}$/.test(id) ? id : undefined;
}
