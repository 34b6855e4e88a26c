import type { Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { seededRandom } from '#scripts/sampleData/seededRandom.ts';
import { refusal } from '#scripts/demo/mailServer.ts';

interface TakenMail {
  to: string;
  times: number;
}

export interface FaultyMailServer extends AsyncDisposable {
  port: number;
  /** By Message-ID, as it stands in the message. */
  taken: Map<string, TakenMail>;
  faults: Map<string, number>;
}

interface Letter {
  messageId: string;
  to: string;
}

/** Ways of treating a message that was read to its end; each hears how to answer, and how to hang up. */
type Treatment = (how: { take: () => void; answer: (error?: Error) => void; hangUp: () => void }) => void;

const takes: Treatment = ({ take, answer }) => (take(), answer());

const kinds: readonly [name: string, weight: number, treatment: Treatment][] = [
  ['451 after DATA', 6, ({ answer }) => answer(refusal(451, 'try again later'))],
  ['421 after DATA', 4, ({ answer }) => answer(refusal(421, 'closing'))],
  ['cut after DATA, not taken', 5, ({ hangUp }) => hangUp()],
  // Taken, and the sender never hears of it: what makes a repeat under the same Message-ID.
  ['cut after DATA, taken', 4, ({ take, hangUp }) => (take(), hangUp())],
  ['hangs after DATA', 1, () => undefined],
];
const weights = kinds.reduce((sum, [, weight]) => sum + weight, 0);

/**
 * So often, at most, a message is treated badly: with what is refused before it, fewer than the tries a delivery has.
 */
const faultsPerMessageMax = 3;
const faultRate = 0.4;
/** Of connections, and of recipients, whosever message it would be. */
const turnedAwayRate = 0.05;

/**
 * A real mail server on this machine that fails by a seed: it refuses connections and recipients, puts off, hangs, and
 * cuts after the message.
 */
export async function startFaultyMailServer(seed: number): Promise<FaultyMailServer> {
  const random = seededRandom(seed * 7_368_787 + 1);
  const taken: FaultyMailServer['taken'] = new Map();
  const faults: FaultyMailServer['faults'] = new Map();
  const treated = new Map<string, number>();
  const sockets = new Map<number, Socket>();
  const count = (name: string): unknown => faults.set(name, (faults.get(name) ?? 0) + 1);

  function take({ messageId, to }: Letter): void {
    taken.set(messageId, { to, times: (taken.get(messageId)?.times ?? 0) + 1 });
  }

  function getTreatment({ messageId }: Letter): Treatment | null {
    const before = treated.get(messageId) ?? 0;
    if (before === faultsPerMessageMax || random() > faultRate) return null;
    treated.set(messageId, before + 1);
    let at = random() * weights;
    const [name, , treatment] = kinds.find(([, weight]) => (at -= weight) < 0) ?? ['', 0, null];
    count(name);
    return treatment;
  }

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect(_session, callback) {
      if (random() > turnedAwayRate) return callback();
      count('421 at the door');
      callback(refusal(421, 'not now'));
    },
    onRcptTo(_address, _session, callback) {
      if (random() > turnedAwayRate) return callback();
      count('450 of the recipient');
      callback(refusal(450, 'greylisted'));
    },
    onData(stream, { envelope, remotePort }, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const [, messageId = ''] = /^Message-ID:\s*(<[^>]+>)/im.exec(Buffer.concat(chunks).toString()) ?? [];
        const letter = { messageId, to: envelope.rcptTo.map(({ address }) => address).join() };
        const treatment = getTreatment(letter) ?? takes;
        treatment({
          take: () => take(letter),
          answer: callback,
          hangUp: () => sockets.get(remotePort)?.destroy(),
        });
      });
    },
  });
  server.server.on('connection', (socket: Socket) => {
    const port = socket.remotePort ?? 0;
    sockets.set(port, socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(port));
    if (random() > turnedAwayRate) return;
    count('hangs up at once');
    socket.destroy();
  });
  // Senders are killed in the middle.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    taken,
    faults,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets.values()) socket.destroy();
      await closed;
    },
  };
}
