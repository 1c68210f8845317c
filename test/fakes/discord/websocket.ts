import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** One WebSocket connection seen from the server (RFC 6455), as much of it as a gateway needs. */
export interface ServerSocket {
  send(text: string): void;
  /** Bytes that wait to be read. */
  backlog(): number;
  close(code: number): void;
  /** Cuts the line without a word. */
  cut(): void;
}

const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

export const acceptSocket = (
  request: IncomingMessage,
  stream: Duplex,
  handlers: {
    readonly text: (text: string) => void;
    /** With the code that the client closed it with, if any. */
    readonly closed: (code: number | undefined) => void;
  },
): ServerSocket => {
  const key = request.headers['sec-websocket-key'] ?? '';
  const accept = createHash('sha1').update(`${key}${MAGIC}`).digest('base64');
  stream.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );

  const write = (opcode: number, payload: Buffer): void => {
    if (!stream.writable) return;
    const head =
      payload.length < 126
        ? Buffer.from([0x80 | opcode, payload.length])
        : payload.length < 65_536
          ? Buffer.from([0x80 | opcode, 126, payload.length >> 8, payload.length & 255])
          : Buffer.concat([Buffer.from([0x80 | opcode, 127]), long(payload.length)]);
    stream.write(Buffer.concat([head, payload]));
  };

  let buffered = Buffer.alloc(0);
  let partial: Buffer[] = [];
  let code: number | undefined;
  stream.on('data', (chunk: Buffer) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (let frame = readFrame(buffered); frame !== undefined; frame = readFrame(buffered)) {
      buffered = buffered.subarray(frame.size);
      if (frame.opcode === PING) write(PONG, frame.payload);
      else if (frame.opcode === CLOSE) {
        if (frame.payload.length >= 2) code = frame.payload.readUInt16BE(0);
        write(CLOSE, frame.payload);
        stream.end();
      } else if (frame.opcode <= TEXT) {
        partial.push(frame.payload);
        if (!frame.last) continue;
        const text = Buffer.concat(partial).toString();
        partial = [];
        handlers.text(text);
      }
    }
  });
  stream.on('close', () => handlers.closed(code));
  // A process that was killed says no more than this.
  stream.on('end', () => stream.end());
  stream.on('error', () => stream.destroy());
  // A process that was killed says no more than this.
  stream.on('end', () => stream.end());

  return {
    send: (text) => write(TEXT, Buffer.from(text)),
    backlog: () => stream.writableLength,
    close(code) {
      write(CLOSE, Buffer.from([code >> 8, code & 255]));
      stream.end();
    },
    cut: () => void stream.destroy(),
  };
};

const long = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};

interface Frame {
  readonly opcode: number;
  readonly last: boolean;
  readonly payload: Buffer;
  readonly size: number;
}

/** A client's frames are always masked. */
const readFrame = (bytes: Buffer): Frame | undefined => {
  if (bytes.length < 2) return undefined;
  const short = bytes.readUInt8(1) & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + extra + 4) return undefined;
  const length = extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  const start = 2 + extra + 4;
  if (bytes.length < start + length) return undefined;
  const mask = bytes.subarray(2 + extra, start);
  const payload = Buffer.from(bytes.subarray(start, start + length));
  for (let at = 0; at < payload.length; at += 1)
    payload.writeUInt8(payload.readUInt8(at) ^ mask.readUInt8(at % 4), at);
  return {
    opcode: bytes.readUInt8(0) & 15,
    last: (bytes.readUInt8(0) & 0x80) !== 0,
    payload,
    size: start + length,
  };
};
