import { setTimeout as delay } from 'node:timers/promises';
import { dealHands } from './allocateSlots.ts';
import { giveBack, listDueEndpoints, takeMessages, type TakenMessage } from './messageQueue.ts';
import { recordAttempt } from './recordAttempt.ts';
import { type EventServices, sendMessage } from './sendMessage.ts';

/** How long a new message waits at most. */
const pollMs = 1_000;
const afterErrorMs = 5_000;

export interface EventSender {
  /** Takes no more, waits so long for what is under way, then gives it back. */
  stop: (graceMs: number) => Promise<void>;
}

/** Sends queued messages, in any number of processes at once; each is had by one of them. */
export function startEventSender(services: EventServices): EventSender {
  const { db, log, now } = services;
  const hurrying = new AbortController();
  const underWay = new Map<Promise<void>, string>();
  const slow = new Set<string>();
  const stopping = new AbortController();
  let waking = Promise.withResolvers<void>();

  async function send(taken: TakenMessage): Promise<void> {
    const { message, endpoint } = taken;
    try {
      const attempt = await sendMessage(services, taken, { signal: hurrying.signal });
      if (attempt.late) slow.add(endpoint.id);
      else slow.delete(endpoint.id);
      if (!attempt.delivered && hurrying.signal.aborted) await giveBack(db, message.id, now());
      else await recordAttempt(db, { message, attempt, now: now() });
    } catch (error) {
      log.warn({ err: error, messageId: message.id }, 'a message to an endpoint is tried again in a minute');
    }
  }

  function start(taken: TakenMessage): void {
    const sending = send(taken).finally(() => {
      underWay.delete(sending);
      waking.resolve();
    });
    underWay.set(sending, taken.endpoint.id);
  }

  /** Takes what there are hands for. */
  async function take(): Promise<void> {
    const due = await listDueEndpoints(db, now());
    const busy = new Map<string, number>();
    for (const id of underWay.values()) busy.set(id, (busy.get(id) ?? 0) + 1);
    for (const [endpointId, limit] of dealHands({ due, busy, slow })) {
      if (stopping.signal.aborted) return;
      for (const taken of await takeMessages(db, { endpointId, limit, now: now() })) start(taken);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      waking = Promise.withResolvers();
      let pauseMs = pollMs;
      try {
        await take();
      } catch (error) {
        log.warn({ err: error }, 'messages to endpoints can’t be had; trying again');
        pauseMs = afterErrorMs;
      }
      await pause(waking.promise, pauseMs);
    }
  }

  const running = run();
  return {
    async stop(graceMs) {
      stopping.abort();
      waking.resolve();
      await running;
      const over = Promise.all(underWay.keys());
      if ((await Promise.race([over, delay(graceMs, 'late', { ref: false })])) === 'late') hurrying.abort();
      await over;
    },
  };
}

async function pause(woken: Promise<void>, ms: number): Promise<void> {
  const rest = new AbortController();
  await Promise.race([woken, delay(ms, undefined, { signal: rest.signal }).catch(() => undefined)]);
  rest.abort();
}
