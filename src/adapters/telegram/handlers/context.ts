import type { Context, Filter, MiddlewareFn } from 'grammy';
import type { MaybeInaccessibleMessage } from 'grammy/types';
import type { Caller, Place } from '../../../command/place.ts';
import { callerOf, placeOf, senderOf, topicOf } from '../api/caller-and-place.ts';
import type { Claimed } from '../incoming/update-inbox.ts';

/** The context flavor: the fields that middleware adds to grammY's context for all handlers. */
interface BotFlavor {
  /** How this process got the update from the inbox. */
  claim: Claimed;
  /** The person who wrote or pressed. */
  caller: Caller;
  place: Place;
}

/** The context that every handler of this bot gets. */
export type BotContext = Context & BotFlavor;

export type MessageContext = Filter<BotContext, 'message'>;
export type MembershipContext = Filter<BotContext, 'my_chat_member'>;

/** A message of an album, for which grammY has no filter query. */
export type AlbumContext = MessageContext & { readonly message: { readonly media_group_id: string } };

export const isOfAlbum = (ctx: MessageContext): ctx is AlbumContext =>
  ctx.message.media_group_id !== undefined;

/** A press of a button whose message and data Telegram tells; it leaves out a message that is too old. */
export type PressContext = Filter<BotContext, 'callback_query:data'> & {
  readonly callbackQuery: { readonly message: MaybeInaccessibleMessage };
};

export const isPress = (ctx: Filter<BotContext, 'callback_query'>): ctx is PressContext =>
  ctx.callbackQuery.message !== undefined && ctx.callbackQuery.data !== undefined;

/** Middleware that sets caller and place. An update without a person or a chat needs no answer, and ends here. */
export const setCallerAndPlace: MiddlewareFn<BotContext> = async (ctx, next) => {
  const { chat, from, message, msg } = ctx;
  if (chat === undefined || from === undefined) return;
  ctx.caller = message === undefined ? callerOf(from) : senderOf({ ...message, from });
  ctx.place = placeOf(chat, from.id, msg && topicOf(msg));
  await next();
};
