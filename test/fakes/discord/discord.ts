import { createServer, type ServerResponse } from 'node:http';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { hangUp, listen } from '../../listen.ts';
import { createFaults, type Fault } from './faults.ts';
import { createGateway } from './gateway.ts';
import { createHttpDelivery } from './http-delivery.ts';
import { createRequestCheck } from './openapi.ts';
import { createDiscordPerson, type DiscordPerson } from './people.ts';
import { createRest, type Received } from './rest.ts';
import { createGuild, createWorld, type Interaction, type Message } from './world.ts';

/**
 * Discord on a free port of this machine: REST, gateway and file server. The real discord.js connects to it when
 * `DISCORD_API_URL` is `api` and fetches attachments when `DISCORD_CDN_HOSTS` is `cdnHost`.
 */
export const createFakeDiscord = async (clock: Clock = systemClock) => {
  const world = createWorld(clock);
  const token = 'fake.discord.token';
  const faults = createFaults();
  let origin = '';
  const check = createRequestCheck();
  const http = createHttpDelivery(world, check);
  world.verifyKey = http.publicKey;
  const rest = createRest(world, faults, token, () => origin, check);
  const gateway = createGateway(world, () => `${origin.replace('http', 'ws')}/gateway`);

  const serveFile = (path: string, response: ServerResponse): void => {
    const file = world.files.get(/^\/attachments\/\d+\/(\d+)\//.exec(path)?.[1] ?? '');
    if (file === undefined || file.expired) {
      response.writeHead(404).end('This content is no longer available.');
      return;
    }
    response.writeHead(200, { 'content-type': file.type, 'content-length': file.bytes.byteLength });
    response.end(file.bytes);
  };

  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path.startsWith('/attachments/')) serveFile(path, response);
    else
      rest.handle(request, response).catch((error: unknown) => {
        // Whoever asked was killed in the middle of it.
        if (request.errored) return;
        world.complaints.push(`the fake broke: ${String(error)}`);
        response.writeHead(500).end();
      });
  });
  server.on('upgrade', (request, stream, head) => gateway.connect(request, stream, head));
  origin = await listen(server);
  const { host, port } = new URL(origin);

  const close = async (): Promise<void> => {
    gateway.cut();
    await hangUp(server);
  };

  const guild = createGuild(world.id(), { owner: world.id() });
  world.guilds.set(guild.id, guild);
  const channel = world.id();
  world.channels.set(channel, { id: channel, guild: guild.id });
  const people = new Map<string, DiscordPerson>();

  const deliver = (interaction: Interaction, payload: object): void => {
    if (http.url === undefined) gateway.dispatch('INTERACTION_CREATE', payload);
    else http.deliver(interaction, payload);
  };

  const newcomer = (name: string): DiscordPerson => {
    const user = { id: world.id(), name };
    world.users.set(user.id, user);
    guild.members.set(user.id, []);
    const where = { channel, guild: guild.id, guildInstalled: true };
    return createDiscordPerson(world, deliver, () => origin, user, where);
  };

  const messages = (where: string, viewer?: DiscordPerson): readonly Message[] =>
    [...world.messages.values()].filter(
      (each) => each.channel === where && (each.onlyFor === undefined || each.onlyFor === viewer?.user.id),
    );

  return {
    api: `${origin}/api`,
    cdnHost: host,
    token,
    world,
    gateway,
    /** Interactions are posted once this has an address. */
    http,
    received: rest.received as readonly Received[],
    /** The server in which everybody is, and its one channel. */
    guild,
    channel,
    /** A person in that channel; the same name is the same person. */
    user(name: string): DiscordPerson {
      const person = people.get(name) ?? newcomer(name);
      people.set(name, person);
      return person;
    },
    /** Somebody new in that channel, whoever else has that name. */
    newcomer,
    /** Gives the same person on a server of this shard. */
    onShard(person: DiscordPerson, shard: number): DiscordPerson {
      const id = String(BigInt(world.shards * 1_000 + shard) << 22n);
      world.guilds.set(id, createGuild(id));
      world.channels.set(`${id}1`, { id: `${id}1`, guild: id });
      return person.at({ channel: `${id}1`, guild: id, guildInstalled: true });
    },
    /** Messages that a person sees in a channel, oldest first. */
    messages,
    /** The direct messages between the bot and a person. */
    direct(person: DiscordPerson): readonly Message[] {
      const dm = [...world.channels.values()].find((each) => each.recipient === person.user.id);
      return dm === undefined ? [] : messages(dm.id, person);
    },
    /** The payload that was last sent over the gateway under this name, to be sent again. */
    lastEvent: (name: string): unknown => gateway.last.get(name),
    fault: (fault: Fault): void => faults.add(fault),
    clearFaults: (): void => faults.clear(),
    /** Nothing of it can be reached any more, as if the cable were pulled. */
    offline: close,
    /** Listens again, under the same address, with everything that it knew. */
    online: () => new Promise<void>((done) => server.listen(Number(port), '127.0.0.1', done)),
    stop: close,
  };
};

/** The fake Discord: its people, its servers, and the addresses under which a program finds it. */
export type FakeDiscord = Awaited<ReturnType<typeof createFakeDiscord>>;
