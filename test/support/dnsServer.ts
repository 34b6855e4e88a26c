import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A name's records; `silent` never answers, `fault` answers SERVFAIL. A name that isn't listed does not exist. */
export type Zone = Record<
  string,
  { addresses?: readonly string[]; alias?: string; isZone?: boolean } | 'silent' | 'fault'
>;

const types: Record<number, 'A' | 'CNAME' | 'SOA' | 'AAAA'> = { 1: 'A', 5: 'CNAME', 6: 'SOA', 28: 'AAAA' };
const recordTypes = { A: 1, CNAME: 5, SOA: 6, AAAA: 28 } as const;
const nameStart = 12;
const codes = { none: 0, fault: 2, missing: 3 } as const;

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function readName(message: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = nameStart;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

/** One resource record (RFC 1035 section 4.1.3). */
function record(name: string, type: keyof typeof recordTypes, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(recordTypes[type], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(60, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([encodeName(name), fixed, data]);
}

/** The records that answer a question. Follows aliases like a resolver. */
function answers(zone: Zone, name: string, type: 'A' | 'CNAME' | 'SOA' | 'AAAA'): Buffer[] {
  const entry = zone[name];
  if (entry === undefined || typeof entry === 'string') return [];
  if (type === 'SOA' && entry.isZone === true) {
    const data = [encodeName('ns.example'), encodeName('hostmaster.example'), Buffer.alloc(20, 1)];
    return [record(name, 'SOA', Buffer.concat(data))];
  }
  if (entry.alias !== undefined) {
    const alias = record(name, 'CNAME', encodeName(entry.alias));
    return type === 'CNAME' ? [alias] : [alias, ...answers(zone, entry.alias, type)];
  }
  const version = type === 'A' ? 4 : type === 'AAAA' ? 6 : 0;
  return (entry.addresses ?? [])
    .filter((address) => isIP(address) === version)
    .map((address) =>
      record(name, version === 4 ? 'A' : 'AAAA', Buffer.from(ipaddr.parse(address).toByteArray())),
    );
}

function reply(zone: Zone, question: Buffer): Buffer | null {
  const { name, end } = readName(question);
  const entry = zone[name];
  if (entry === 'silent') return null;
  const found = answers(zone, name, types[question.readUInt16BE(end)] ?? 'A');
  const code = entry === undefined ? codes.missing : entry === 'fault' ? codes.fault : codes.none;
  const head = Buffer.alloc(nameStart);
  question.copy(head, 0, 0, 2);
  // A response, with recursion desired and available.
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(found.length, 6);
  return Buffer.concat([head, question.subarray(nameStart, end + 4), ...found]);
}

/** A name server on loopback for these names. Pass its `address` to a resolver. */
export async function dnsServer(zone: Zone): Promise<{ address: string } & AsyncDisposable> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const answer = reply(zone, question);
    if (answer !== null) socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    [Symbol.asyncDispose]: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
