import { ApiError } from './api-error.ts';
import type { Request, Routes } from './rest.ts';
import {
  EPHEMERAL,
  emptyMessage,
  type Interaction,
  LOADING,
  type Message,
  messageJson,
  type World,
} from './world.ts';
import { type Body, writeMessage } from './write-message.ts';

const TOKEN_LIFE = 15 * 60_000;
const FOLLOW_UPS_OF_USER_INSTALLS = 5;

const data = (body: Body): Body => ({
  json: (body.json.data ?? {}) as Readonly<Record<string, unknown>>,
  uploads: body.uploads,
});

const newMessage = (world: World, interaction: Interaction, flags: number): Message => ({
  ...emptyMessage(world, interaction.channel),
  flags,
  ...((flags & EPHEMERAL) === 0 ? {} : { onlyFor: interaction.user }),
});

const source = (world: World, interaction: Interaction): Message => {
  const message = world.messages.get(interaction.source ?? '');
  if (message === undefined) throw new ApiError(404, 10008, 'Unknown Message');
  return message;
};

/** Puts an interaction's first answer into effect and returns the message that it made or changed. */
const answer = (world: World, interaction: Interaction, body: Body): Message | undefined => {
  const type = Number(body.json.type);
  const given = data(body);
  const flags = Number(given.json.flags ?? 0);
  if (type === 4 || type === 5) {
    if (type === 5 && (flags & ~EPHEMERAL) !== 0)
      throw new ApiError(400, 50035, 'Invalid Form Body: a deferred answer can only be ephemeral');
    const message = newMessage(world, interaction, (flags & EPHEMERAL) | (type === 5 ? LOADING : 0));
    if (type === 4) writeMessage(world, message, given, interaction.sizeLimit);
    world.messages.set(message.id, message);
    return message;
  }
  if (type === 6) return source(world, interaction);
  if (type === 7) {
    const message = source(world, interaction);
    writeMessage(world, message, given, interaction.sizeLimit);
    message.edits += 1;
    return message;
  }
  if (type === 8 && interaction.type !== 4) throw new ApiError(400, 50035, 'Not an autocomplete');
  if (type === 9 && interaction.type === 5) throw new ApiError(400, 50035, 'A form cannot follow a form');
  return undefined;
};

/** Takes the bot's first answer, which comes by request or in the response to an interaction. */
export const acknowledge = (world: World, interaction: Interaction, body: Body): Message | undefined => {
  if (interaction.ack !== undefined)
    throw new ApiError(400, 40060, 'Interaction has already been acknowledged.');
  if (world.clock.now() - interaction.at > world.answerWithinMs) {
    world.complaints.push(`interaction ${interaction.id} answered too late`);
    throw new ApiError(404, 10062, 'Unknown interaction');
  }
  const type = Number(body.json.type);
  const message = answer(world, interaction, body);
  interaction.ack = { type, at: world.clock.now(), data: body.json.data };
  if (message !== undefined) interaction.original = message.id;
  world.answered(interaction);
  return message;
};

const callback = ({ world, origin, params, query, body }: Request): unknown => {
  const interaction = world.interactions.get(params[1] ?? '');
  if (interaction === undefined || interaction.id !== params[0])
    throw new ApiError(404, 10062, 'Unknown interaction');
  const type = Number(body.json.type);
  const message = acknowledge(world, interaction, body);
  if (query.get('with_response') !== 'true') return undefined;
  return {
    interaction: {
      id: interaction.id,
      type: interaction.type,
      ...(message === undefined ? {} : { response_message_id: message.id }),
      response_message_loading: type === 5,
      response_message_ephemeral: message?.onlyFor !== undefined,
    },
    ...(message !== undefined && (type === 4 || type === 7)
      ? { resource: { type, message: messageJson(world, origin, message) } }
      : {}),
  };
};

const byToken = (world: World, token: string): Interaction => {
  const interaction = world.interactions.get(token);
  if (interaction === undefined || interaction.ack === undefined)
    throw new ApiError(404, 10015, 'Unknown Webhook');
  if (world.clock.now() - interaction.at > TOKEN_LIFE)
    throw new ApiError(401, 50027, 'Invalid Webhook Token');
  return interaction;
};

/** The message of an interaction that a request names, by its id or as the original one. */
const messageNamed = ({
  world,
  params: [, token = '', id = ''],
}: Request): { readonly interaction: Interaction; readonly message: Message } => {
  const interaction = byToken(world, token);
  const own = [interaction.original, ...interaction.followUps];
  const message = world.messages.get(id === '@original' ? (interaction.original ?? '') : id);
  if (message === undefined || !own.includes(message.id)) throw new ApiError(404, 10008, 'Unknown Message');
  return { interaction, message };
};

/** Calls that belong to an interaction, by method and path: its first answer, and its messages. */
export const interactionRoutes: Routes = {
  'POST /interactions/:id/:id/callback': callback,
  'POST /webhooks/:id/:id': ({ world, origin, params, body }) => {
    const interaction = byToken(world, params[1] ?? '');
    if (!interaction.guildInstalled && interaction.followUps.length >= FOLLOW_UPS_OF_USER_INSTALLS)
      throw new ApiError(400, 40094, 'Follow-up messages limit reached');
    const thought = world.messages.get(interaction.original ?? '');
    // While "thinking…" is shown, the next message takes its place, for the people who saw it.
    const becomes = thought !== undefined && (thought.flags & LOADING) !== 0;
    const message = becomes
      ? thought
      : newMessage(world, interaction, Number(body.json.flags ?? 0) & EPHEMERAL);
    writeMessage(world, message, body, interaction.sizeLimit);
    message.flags &= ~LOADING;
    world.messages.set(message.id, message);
    if (!becomes) interaction.followUps.push(message.id);
    return messageJson(world, origin, message);
  },
  'GET /webhooks/:id/:id/messages/:id': (request) =>
    messageJson(request.world, request.origin, messageNamed(request).message),
  'PATCH /webhooks/:id/:id/messages/:id': (request) => {
    const { world, origin, body } = request;
    const { interaction, message } = messageNamed(request);
    writeMessage(world, message, body, interaction.sizeLimit);
    if ((message.flags & LOADING) !== 0) world.thought(interaction);
    message.flags &= ~LOADING;
    message.edits += 1;
    return messageJson(world, origin, message);
  },
  'DELETE /webhooks/:id/:id/messages/:id': (request) =>
    void request.world.messages.delete(messageNamed(request).message.id),
};
