import type { DeliveryChannel, HoldCause, LeadChannel, RefusalClass } from '#shared/admin/deliveries.ts';
import type { Queryable } from '#server/db/connect.ts';
import type {
  DeliveryRow,
  LeadRow,
  ProviderRow,
  WebhookEndpointRow,
  WebhookEventRow,
} from '#server/db/schema/index.ts';

/** One attempt, as its channel receives it. */
interface AttemptInput {
  delivery: DeliveryRow;
  now: Date;
  /** Aborted when the attempt's time ends, or when the process stops. */
  signal: AbortSignal;
}

/** What a delivery of a lead is about, as its rows are now. */
export interface LeadFacts {
  lead: LeadRow;
  /** The recipient, or the provider that the delivery is about, its key still sealed; null: the lead has none. */
  provider: ProviderRow | null;
  /** The recipient's id of the lead. A CRM's contact belongs to the lead, whichever delivery created it. */
  remoteId: string | null;
  /** Whether another delivery of this lead by the same channel was delivered. */
  isKnown: boolean;
  /** For an erasure: an attempt got no answer, so the recipient may have the lead under an unknown name. */
  isUnanswered: boolean;
  /** Further numbers of the lead that are suppressed: the recipient must not get them. */
  leftOut: readonly string[];
}

/** An attempt to deliver a lead. Its delivery's id is the same for every attempt: receivers recognize a repeat by it. */
export interface DeliveryInput extends AttemptInput, LeadFacts {
  contacts: ContactHistory;
}

/** What other leads say about the contacts of a CRM that has one contact for one address. */
export interface ContactHistory {
  /** Whether a newer lead has this contact too. */
  hasNewer: (contactId: string) => Promise<boolean>;
  /** The contact of the newest lead with the same email address, if that lead is newer; else null. */
  findNewer: () => Promise<string | null>;
  /**
   * Whether another lead with the same email address goes first: its attempt began earlier and is in progress, or at
   * the same time and it is newer. Two requests about one contact at a time may arrive in any order.
   */
  isWaiting: () => Promise<boolean>;
}

export interface WebhookInput extends AttemptInput {
  event: WebhookEventRow;
  endpoint: WebhookEndpointRow;
}

export interface DeliveredResult {
  outcome: 'delivered';
  /** Its recipient is marked as unreachable, and accepted it. */
  isMarked?: boolean;
  status: string | null;
  answer: string | null;
  remoteId?: string;
}

export interface FailedResult {
  outcome: 'failed';
  /** Whom the refusal concerns, which decides what follows (backoff.ts). */
  refusal: RefusalClass;
  /** The class of this answer by itself, if others of the same time make it ours (refused/refusalRuns.ts). */
  ownRefusal?: RefusalClass;
  /** The response in short: 'HTTP 503', 'SMTP 450'; null without one. */
  status: string | null;
  answer: string | null;
  /** A sentence without contact details. */
  reason: string;
  /** How long the recipient wants us to wait. */
  retryAfterSeconds?: number;
  /** No message can reach the recipient's address: this one is held until the address works. */
  isUnreachable?: boolean;
  /** The refusal came before a recipient was named: every message of the channel would get it. */
  pausesChannel?: boolean;
  /** The CRM refused the provider's own key: only that provider's deliveries wait. */
  isProviderKey?: boolean;
  /** HTTP 410: the recipient wants no more messages. */
  isGone?: boolean;
  /** The attempt's time ended without an answer. */
  isTimeout?: boolean;
}

/** Nothing was sent: held until the time; null: until staff or its cause release it. */
export interface HeldResult {
  outcome: 'held';
  holdCause: HoldCause;
  reason: string;
  nextAttemptAt: Date | null;
  /** The provider's own key can't be used: only that provider's deliveries wait. */
  isProviderKey?: boolean;
}

/** The result of one attempt, for staff. Before it is stored, `answer` is truncated and loses its contact details. */
export type DeliveryResult =
  | DeliveredResult
  | FailedResult
  | { outcome: 'cancelled'; reason: string }
  /** Nothing was sent: due again after these seconds, without using up an attempt. */
  | { outcome: 'postponed'; reason: string; retryAfterSeconds: number }
  | HeldResult;

export interface EndedAttempt<Input> {
  input: Omit<Input, 'signal'>;
  result: DeliveredResult | FailedResult;
  /** When it ended. */
  now: Date;
  /** Failures in a row of the endpoint before this attempt. 0 for the channels of leads. */
  failuresBefore: number;
}

export interface Channel<Input = DeliveryInput> {
  name: DeliveryChannel;
  /** Null: ready. Otherwise a sentence why deliveries are held, such as 'Email is not configured (SMTP_URL).' */
  heldReason: () => string | null;
  /** One attempt. An error counts as a failure that is retried. */
  deliver: (input: Input) => Promise<DeliveryResult>;
  /** What follows from an attempt, in the transaction that records it. */
  afterAttempt?: (tx: Queryable, ended: EndedAttempt<Input>) => Promise<void>;
}

/** A lead as it is locked when an attempt is recorded. */
export type AttemptLead = Pick<LeadRow, 'id' | 'providerId' | 'quarantinedAt'>;

export interface Channels extends Readonly<Record<LeadChannel, Channel>> {
  readonly webhook: Channel<WebhookInput>;
  /** What follows if a delivery of a lead fails for good, in the transaction that records it. */
  readonly onLeadFailure: (tx: Queryable, lead: AttemptLead, delivery: DeliveryRow) => Promise<void>;
}
