import type { DeliveryChannel } from '#shared/admin/deliveries.ts';
import type { DeliveryRow, LeadRow, ProviderRow } from '#server/db/schema/index.ts';

/** What is to be delivered, and what is known of it. */
export interface DeliveryInput {
  /** The same for every try: receivers know a repeat by it. */
  deliveryId: string;
  delivery: DeliveryRow;
  lead: LeadRow;
  /** The clinic it goes to or tells of, with its key still sealed; null: no clinic was found. */
  provider: ProviderRow | null;
  now: Date;
  /** From 1. */
  attemptNumber: number;
  /** What the far side called it before: of a CRM, the lead's contact, whichever delivery it came from. */
  remoteId: string | null;
  /** Whether the channel has had this lead before, by another delivery. */
  isKnown: boolean;
  /** Of an erasure: a try to bring the lead there ended without an answer, so that they may have it under a name nobody knows. */
  isUnanswered: boolean;
  /** Aborted when the time for one try is over, or when the process stops. */
  signal: AbortSignal;
}

/** How one try ended. Sentences and answers are for staff; `answer` is cut and cleared of contact details before it is kept. */
export type DeliveryResult =
  | { outcome: 'delivered'; status: string | null; answer: string | null; remoteId?: string }
  | {
      outcome: 'failed';
      /** Trying again is of no use. */
      permanent: boolean;
      /** What the far side said in short: 'HTTP 503', 'SMTP 450'; null where it said nothing. */
      status: string | null;
      answer: string | null;
      /** A sentence without contact details. */
      reason: string;
      /** When the far side wants to be asked again, in seconds. */
      retryAfterSeconds?: number;
    }
  | { outcome: 'cancelled'; reason: string }
  /** Nothing was attempted: due again after so many seconds, without losing an attempt. */
  | { outcome: 'postponed'; reason: string; retryAfterSeconds: number };

export interface Channel {
  name: DeliveryChannel;
  /** Null: ready. Else the sentence why nothing is delivered, such as 'E-mail is not configured (SMTP_URL).' */
  heldReason: () => string | null;
  /** One try. What it throws counts as a failure that may pass. */
  deliver: (input: DeliveryInput) => Promise<DeliveryResult>;
}

export type Channels = Readonly<Record<DeliveryChannel, Channel>>;
