import { connect, createServer, type Socket } from 'node:net';

/** A connection pooler such as PgBouncer, as much of it as simple queries need. */
export interface Pooler {
  readonly url: string;
  stop(): Promise<void>;
}

/** One backend for each transaction, whoever asks; or one for each client while it is connected. */
export async function startPooler(serverUrl: string, mode: 'transaction' | 'session'): Promise<Pooler> {
  const server = new URL(serverUrl);
  const idle: Backend[] = [];
  const sockets = new Set<Socket>();
  const backend = async (): Promise<Backend> => idle.pop() ?? (await openBackend(server, sockets));

  const listener = createServer((client) => {
    sockets.add(client);
    let held: Backend | undefined;
    let asked = Promise.resolve();
    let begun = false;
    const ask = async (message: Buffer): Promise<void> => {
      held ??= await backend();
      const { answer, isFree } = await held.ask(message);
      client.write(answer);
      if (!isFree || mode === 'session') return;
      idle.push(held);
      held = undefined;
    };
    readMessages(client, (message) => {
      if (!begun) {
        begun = true;
        // AuthenticationOk, a process id of its own, ReadyForQuery.
        client.write(
          Buffer.concat([framed('R', [0]), framed('K', [77, 77]), Buffer.from('Z\0\0\0\x05I', 'latin1')]),
        );
      } else if (message[0] === 0x58) client.end();
      else asked = asked.then(() => ask(message));
    });
    client.on('error', () => client.destroy());
    client.on('close', () => held !== undefined && idle.push(held));
  });
  const port = await new Promise<number>((done) => {
    listener.listen(0, '127.0.0.1', () => {
      const address = listener.address();
      done(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  const url = new URL(serverUrl);
  url.port = String(port);
  return {
    url: url.href,
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => listener.close(done));
    },
  };
}

interface Backend {
  ask(message: Buffer): Promise<{ readonly answer: Buffer; readonly isFree: boolean }>;
}

async function openBackend(server: URL, sockets: Set<Socket>): Promise<Backend> {
  const socket = connect(Number(server.port), server.hostname);
  sockets.add(socket);
  socket.on('error', () => socket.destroy());
  let answer: Buffer[] = [];
  let answered: (status: string) => void = () => undefined;
  readMessages(
    socket,
    (message) => {
      answer.push(message);
      if (message[0] === 0x5a) answered(message.toString('latin1', 5, 6));
    },
    false,
  );
  const ask = async (message: Buffer) => {
    answer = [];
    const status = await new Promise<string>((done) => {
      answered = done;
      socket.write(message);
    });
    return { answer: Buffer.concat(answer), isFree: status === 'I' };
  };
  const names = `user\0${server.username}\0database\0${server.pathname.slice(1)}\0\0`;
  const start = Buffer.alloc(8);
  start.writeInt32BE(8 + names.length, 0);
  start.writeInt32BE(196_608, 4);
  await ask(Buffer.concat([start, Buffer.from(names)]));
  return { ask };
}

/** The first message of a client has no type. */
function readMessages(socket: Socket, take: (message: Buffer) => void, hasStart = true): void {
  let buffered = Buffer.alloc(0);
  let typed = hasStart ? 0 : 1;
  socket.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    while (buffered.length >= 4 + typed && buffered.length >= buffered.readInt32BE(typed) + typed) {
      const size = buffered.readInt32BE(typed) + typed;
      take(buffered.subarray(0, size));
      buffered = buffered.subarray(size);
      typed = 1;
    }
  });
}

function framed(type: string, numbers: readonly number[]): Buffer {
  const message = Buffer.alloc(5 + numbers.length * 4);
  message.write(type, 0, 'latin1');
  message.writeInt32BE(message.length - 1, 1);
  for (const [index, number] of numbers.entries()) message.writeInt32BE(number, 5 + index * 4);
  return message;
}
